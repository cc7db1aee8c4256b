import { check, checkEqual, checkStatus } from '../checks.ts';
import { trial } from '../conformance-case.ts';
import type { Paragraph } from '../contract.ts';
import type { Installation } from '../installation.ts';
import { parseXml } from '../readers.ts';

const courseElement = (on: Installation) =>
  on.once('a course in XML', async () => {
    const filter = { ...on.realm, course_guid: await on.course() };
    const answer = await on.api.get('/course.xml', filter);
    checkStatus(answer, 200);
    const [course] = parseXml(answer.text).children;
    check(course, `${answer.request}: no course`);
    return course;
  });

const courseXml = {
  'course-provider-id': /^\d+$/,
  'created-at': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  custom: /^/,
  id: /^\d+$/,
  metadata: /^\{.*\}$/s,
  'registration-count': /^\d+$/,
  'sc-course-id': /./,
  size: /^\d+$/,
  title: /./,
  'updated-at': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  versions: /^\d+$/,
};

/** The course record in XML, which has a field set of its own. */
export const courseXmlCases = [
  ...Object.entries(courseXml).map(([name, form]) =>
    trial(
      `Course record in XML: ${name}`,
      [`api-v2: Course record in XML, ${name}` as Paragraph],
      async (on) => {
        const value = (await courseElement(on)).textOf(name);
        check(value !== undefined && form.test(value), `${name} is ${String(value)}`);
      },
    ),
  ),

  trial(
    'Course record in XML: these fields and no others, in an array-typed root',
    ['api-v2: Course record in XML, root', 'decision 8'],
    async (on) => {
      const names = (await courseElement(on)).children.map(({ name }) => name);
      checkEqual(names.toSorted(), Object.keys(courseXml).toSorted(), 'the elements');
    },
  ),

  trial(
    'Course record in XML: metadata holds a JSON object with its five keys',
    ['api-v2: Course record in XML, metadata'],
    async (on) => {
      const metadata = JSON.parse((await courseElement(on)).textOf('metadata') ?? '') as object;
      const keys = ['description', 'duration', 'keywords', 'title', 'typicaltime'];
      checkEqual(Object.keys(metadata).toSorted(), keys, 'the keys');
    },
  ),
];
