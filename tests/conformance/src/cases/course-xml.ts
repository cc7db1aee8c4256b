import { check, checkEqual, checkStatus, type JsonRecord } from '../checks.ts';
import { conformanceCase } from '../conformance-case.ts';
import { ruleOf } from '../contract.ts';
import type { Installation } from '../installation.ts';
import { parseXml } from '../readers.ts';

const courseElement = (target: Installation) =>
  target.once('a course in XML', async () => {
    const filter = { ...target.realm, course_guid: await target.course() };
    const response = await target.api.get('/course.xml', filter);
    checkStatus(response, 200);
    const [course] = parseXml(response.text).children;
    check(course, `${response.request}: no course`);
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

/** The fields of a course in XML (contract/courses#xml). */
export const courseXmlCases = [
  ...Object.entries(courseXml).map(([name, form]) =>
    conformanceCase(
      `Course record in XML: ${name}`,
      [ruleOf('courses', `xml-${name}`)],
      async (target) => {
        const value = (await courseElement(target)).textOf(name);
        check(value !== undefined && form.test(value), `${name} is ${String(value)}`);
      },
    ),
  ),

  conformanceCase(
    'Course record in XML: has these fields and no others, in an array-typed root',
    ['contract/courses#xml-root', 'contract/formats#xml-list-root'],
    async (target) => {
      const names = (await courseElement(target)).children.map(({ name }) => name);
      checkEqual(names.toSorted(), Object.keys(courseXml).toSorted(), 'the elements');
    },
  ),

  conformanceCase(
    'Course record in XML: metadata is a JSON object with five keys',
    ['contract/courses#xml-metadata'],
    async (target) => {
      const metadata = JSON.parse((await courseElement(target)).textOf('metadata') ?? '') as object;
      const keys = ['description', 'duration', 'keywords', 'title', 'typicaltime'];
      checkEqual(Object.keys(metadata).toSorted(), keys, 'the keys');
    },
  ),

  conformanceCase(
    'Course record in XML: metadata has the title that an update has set',
    ['contract/courses#xml-metadata', 'contract/courses#update-fields'],
    async (target) => {
      const course_guid = await target.importCourse('retitled');
      const title = target.unique('Title');
      const path = `/course/${course_guid}.xml`;
      const updated = parseXml((await target.api.put(path, { ...target.realm, title })).text);
      const filter = { ...target.realm, course_guid };
      const [listed] = parseXml((await target.api.get('/course.xml', filter)).text).children;
      for (const element of [updated, listed]) {
        const metadata = JSON.parse(element?.textOf('metadata') ?? '{}') as JsonRecord;
        checkEqual([element?.textOf('title'), metadata['title']], [title, title], 'the titles');
      }
    },
  ),
];
