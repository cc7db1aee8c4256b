import { demoOwner, insertCourses } from '../system/fill.ts';
import type { Installation } from '../system/installation.ts';
import { requireSameResponses } from '../system/same-responses.ts';

/** The URL of the course index of 20 courses in each system. */
export interface CourseLists extends Pick<Installation, 'load' | 'processes'> {
  readonly urls: Readonly<Record<'distributed' | 'bare' | 'stock', string>>;
}

/** The prefix of the GUIDs of the courses in the demo realm. */
export const coursePrefix = 'safety-';
export const courseCount = 20;

const filled = new WeakMap<Installation, Promise<CourseLists>>();

/** Inserts courses into the demo realm, once, up to 20, and checks that all systems list them byte by byte alike. */
export function fillCourses(installation: Installation): Promise<CourseLists> {
  const lists = filled.get(installation) ?? fill(installation);
  filled.set(installation, lists);
  return lists;
}

async function fill(installation: Installation): Promise<CourseLists> {
  const { database, access, bare, stock, load, processes } = installation;
  const { applicationId } = await demoOwner(database);
  // The quickstart has created one.
  await insertCourses(database, { applicationId, count: courseCount - 1, prefix: coursePrefix });
  const urls = {
    distributed: access.url('course.json'),
    bare: `${bare.url}/course.json?application=${applicationId}`,
    stock: `${stock.url}/course.json?application=${applicationId}`,
  };
  await requireSameResponses(urls);
  return { urls, load, processes };
}
