import type { BusClient, ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  type CourseRecord,
  findLatestRegistrations,
  type Page,
} from '@registrar/contracts';
import type { Row } from '@registrar/formats';

type LatestRegistrations = ReplyOf<typeof findLatestRegistrations>;

const courseKey = (applicationId: number, courseGuid: string) => `${applicationId} ${courseGuid}`;

/**
 * What `registrations` of a course is for a user-bound key: the number, or the user's most recent registration, alone or
 * in an array (contract/courses#nested-registrations, contract/compatibility#course-index).
 */
export type ShownRegistrations = 'count' | 'record' | 'array';

/**
 * Replaces each course's number of registrations by the number of the key's user
 * (contract/courses#user-key-count).
 *
 * @param show what `registrations` is; the number moves to `registration_count` where it is a registration
 */
export async function* addOwnRegistrations(
  bus: BusClient,
  scope: AccessScope,
  pages: AsyncIterable<Page<CourseRecord>>,
  show: ShownRegistrations,
): AsyncGenerator<Page<Row>> {
  for await (const { items, ...page } of pages) {
    const courses = items.map((course) => ({
      applicationId: course.course_provider_id,
      courseGuid: course.course_guid,
    }));
    const latest = new Map<string, LatestRegistrations['registrations'][number]>();
    let cursor: string | null = null;
    // As many requests as the size of the registrations needs.
    do {
      const input = { scope, courses, cursor };
      const found: LatestRegistrations = await bus.request(findLatestRegistrations, input);
      for (const each of found.registrations) {
        latest.set(courseKey(each.hosted_app_id, each.course_guid), each);
      }
      cursor = found.next;
    } while (cursor !== null);
    const rows = items.map((course) => {
      const own = latest.get(courseKey(course.course_provider_id, course.course_guid));
      const count = own?.count ?? 0;
      if (show === 'count') return { ...course, registrations: count };
      const registrations = show === 'record' ? (own ?? null) : [own ?? []].flat();
      return { ...course, registration_count: count, registrations };
    });
    yield { items: rows, ...page };
  }
}
