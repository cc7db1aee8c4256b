import { Client } from '@registrar/conformance';
import { buildSamplePackage, sampleCourseNames } from '@registrar/sample-courses';
import type { System } from './system.ts';

/** Imports a second course; returns the ids of both. */
export async function importCourses({ facts }: System): Promise<string[]> {
  const { base_url, realm_guid, realm_secret_key, course_guid } = facts;
  const second = 'second-course';
  const access = { realm_guid, realm_secret_key };
  const answer = await new Client(base_url).postMultipart(
    '/course.json',
    { ...access, course_guid: second },
    await buildSamplePackage(sampleCourseNames[0]),
  );
  if (answer.status !== 201) throw new Error(`the course import returned ${answer.status}`);
  return [course_guid, second];
}
