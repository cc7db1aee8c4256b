import type { BusClient } from '#libs/bus';
import {
  type AccessScope,
  type CourseRecord,
  latestRegistrations,
  type RegistrationRecord,
} from '#libs/contracts';
import type { Row } from '#libs/formats';

const nameOf = (applicationId: number, courseGuid: string) => `${applicationId} ${courseGuid}`;

/** Puts the user's most recent registration into each course: one request to enrolment a page. */
export async function* withRegistrations(
  bus: BusClient,
  scope: AccessScope,
  pages: AsyncIterable<CourseRecord[]>,
): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    const { registrations } = await bus.request(latestRegistrations, {
      scope,
      courses: page.map((course) => ({
        applicationId: course.course_provider_id,
        courseGuid: course.course_guid,
      })),
    });
    const latest = new Map<string, RegistrationRecord>(
      registrations.map((each) => [nameOf(each.hosted_app_id, each.course_guid), each]),
    );
    yield page.map((course) => ({
      ...course,
      registration_count: course.registrations,
      registrations: latest.get(nameOf(course.course_provider_id, course.course_guid)) ?? null,
    }));
  }
}
