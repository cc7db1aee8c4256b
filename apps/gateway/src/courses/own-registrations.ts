import type { BusClient } from '@registrar/bus';
import { type AccessScope, type CourseRecord, findLatestRegistrations } from '@registrar/contracts';
import type { Row } from '@registrar/formats';

const courseKey = (applicationId: number, courseGuid: string) => `${applicationId} ${courseGuid}`;

/**
 * Replaces each course's number of registrations by the number of the key's user
 * (contract/courses#user-key-count), with one request to enrolment for each page.
 *
 * @param nested whether `registrations` is the user's most recent registration and the number
 * moves to `registration_count` (contract/courses#nested-registrations)
 */
export async function* addOwnRegistrations(
  bus: BusClient,
  scope: AccessScope,
  pages: AsyncIterable<CourseRecord[]>,
  nested: boolean,
): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    const { registrations } = await bus.request(findLatestRegistrations, {
      scope,
      courses: page.map((course) => ({
        applicationId: course.course_provider_id,
        courseGuid: course.course_guid,
      })),
    });
    const latest = new Map(
      registrations.map((each) => [courseKey(each.hosted_app_id, each.course_guid), each]),
    );
    yield page.map((course) => {
      const own = latest.get(courseKey(course.course_provider_id, course.course_guid));
      const count = own?.count ?? 0;
      return nested
        ? { ...course, registration_count: count, registrations: own ?? null }
        : { ...course, registrations: count };
    });
  }
}
