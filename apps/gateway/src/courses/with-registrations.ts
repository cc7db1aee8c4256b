import type { BusClient } from '#libs/bus';
import { type AccessScope, type CourseRecord, latestRegistrations } from '#libs/contracts';
import type { Row } from '#libs/formats';

const nameOf = (applicationId: number, courseGuid: string) => `${applicationId} ${courseGuid}`;

/**
 * Courses as a key sees them that is bound to a user: the number of registrations is that user's
 * own, for others' are not to be known (decision 14), and the most recent one stands in its place
 * when `nested` says so. One request to enrolment a page.
 */
export async function* withRegistrations(
  bus: BusClient,
  scope: AccessScope,
  pages: AsyncIterable<CourseRecord[]>,
  nested: boolean,
): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    const { registrations } = await bus.request(latestRegistrations, {
      scope,
      courses: page.map((course) => ({
        applicationId: course.course_provider_id,
        courseGuid: course.course_guid,
      })),
    });
    const latest = new Map(
      registrations.map((each) => [nameOf(each.hosted_app_id, each.course_guid), each]),
    );
    yield page.map((course) => {
      const own = latest.get(nameOf(course.course_provider_id, course.course_guid));
      const count = own?.count ?? 0;
      return nested
        ? { ...course, registration_count: count, registrations: own ?? null }
        : { ...course, registrations: count };
    });
  }
}
