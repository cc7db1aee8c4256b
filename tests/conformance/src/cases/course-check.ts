import { buildPackage, buildSamplePackage, sampleCourseNames } from '@registrar/sample-courses';
import { check, checkEqual, checkError, checkStatus, recordsOf } from '../checks.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { buildDraftPackage } from '../draft-package.ts';
import { parseCsv, parseXml } from '../readers.ts';

const path = '/course/check.json';

/** What a check finds in the draft, without the texts for people. */
const draftFindings = [
  { severity: 'error', file: 'imsmanifest.xml', line: 14, rule: 'launch-missing' },
  { severity: 'warning', file: 'imsmanifest.xml', line: 9, rule: 'value-out-of-range' },
];

/** Checks that findings have all fields, and returns them without their texts. */
const withoutTexts = (findings: readonly unknown[]) =>
  findings.map((finding) => {
    const { message, remedy, ...rest } = finding as Record<string, unknown>;
    for (const text of [message, remedy]) {
      check(typeof text === 'string' && text !== '', 'a finding has no text');
    }
    return rest;
  });

export const courseCheckCases = [
  transportCase(
    'POST /course/check finds what is wrong with a package, and stores no course',
    [
      'contract/courses#check-route',
      'contract/courses#check-errors',
      'contract/courses#check-file',
      'contract/courses#finding-severity',
      'contract/courses#finding-file',
      'contract/courses#finding-line',
      'contract/courses#finding-rule',
      'contract/courses#finding-message',
      'contract/courses#finding-remedy',
      'contract/courses#finding-order',
    ],
    async (target) => {
      const draft = await buildDraftPackage();
      const found = await target.api.postMultipart(path, target.application, draft);
      checkStatus(found, 200);
      checkEqual(withoutTexts(recordsOf(found)), draftFindings, 'the findings');
      const good = await buildSamplePackage(sampleCourseNames[0]);
      const nothing = await target.api.postMultipart(path, target.application, good);
      checkEqual(recordsOf(nothing), [], 'the findings of a course');
      const xml = await target.api.postMultipart('/course/check.xml', target.application, draft);
      checkEqual(parseXml(xml.text).children[0]?.textOf('rule'), 'launch-missing', 'XML');
      const csv = await target.api.postMultipart('/course/check.csv', target.application, draft);
      checkEqual(parseCsv(csv.text)[1]?.['line'], '9', 'CSV');
    },
  ),

  conformanceCase(
    'course check shows a hundred findings, and says how many more there are',
    ['contract/courses#finding-order'],
    async (target) => {
      const files = Array.from({ length: 130 }, (_, at) => `<file href="${at}.js"/>`).join('');
      const manifest = `<manifest identifier="m" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
        <resources><resource identifier="r" href="gone.html">${files}</resource></resources></manifest>`;
      const file = await buildPackage({ 'imsmanifest.xml': manifest });
      const found = recordsOf(await target.api.postMultipart(path, target.application, file));
      checkEqual(found.length, 101, 'the number of findings');
      checkEqual(found[0]?.['severity'], 'error', 'the first severity');
      checkEqual(found.at(-1)?.['rule'], 'more-findings', 'the last rule');
    },
  ),

  conformanceCase(
    'whoever may create a course may check a package',
    ['contract/courses#check-access', 'contract/courses#check-500'],
    async (target) => {
      const draft = await buildDraftPackage();
      for (const access of [target.realm, target.application, await target.realmKey()]) {
        checkStatus(await target.api.postMultipart(path, access, draft), 200);
      }
      const user = await target.userKey(target.learner());
      checkError(await target.api.postMultipart(path, user, draft), 401);
      checkError(await target.api.postMultipart(path, target.application), 500);
    },
  ),

  conformanceCase(
    'a course of the GUID check is shown, updated and deleted',
    ['contract/courses#check-guid'],
    async (target) => {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const response = await target.api.send(method, path, { query: target.realm });
        check([200, 404].includes(response.status), `${method} ${path} is refused`);
        checkEqual(response.headers.get('allow'), null, 'Allow');
      }
    },
  ),

  conformanceCase(
    'the problem of a refused package has its findings',
    ['contract/courses#create-findings', 'contract/errors#problem-members'],
    async (target) => {
      const parameters = { ...target.application, course_guid: target.unique('draft') };
      const accept = { accept: 'application/problem+json' };
      const draft = await buildDraftPackage();
      const refused = await target.api.postMultipart('/course.json', parameters, draft, accept);
      checkStatus(refused, 500);
      const { findings } = JSON.parse(refused.text) as { findings: unknown[] };
      checkEqual(withoutTexts(findings), draftFindings, 'the findings');
    },
  ),
];
