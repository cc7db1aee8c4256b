import type { BusClient, ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  type CourseRecord,
  findLatestRegistrations,
  type Page,
} from '@registrar/contracts';
import type { Row } from '@registrar/formats';

type LatestRegistration = ReplyOf<typeof findLatestRegistrations>['registrations'][number];

/** Finds the user's most recent registration of each course, in as many requests as their size needs. */
async function* findLatest(
  bus: BusClient,
  scope: AccessScope,
  page: readonly CourseRecord[],
): AsyncGenerator<LatestRegistration> {
  const courses = page.map((course) => ({
    applicationId: course.course_provider_id,
    courseGuid: course.course_guid,
  }));
  let cursor: string | null = null;
  do {
    const reply: ReplyOf<typeof findLatestRegistrations> = await bus.request(
      findLatestRegistrations,
      { scope, courses, cursor },
    );
    yield* reply.registrations;
    cursor = reply.next;
  } while (cursor !== null);
}

const courseKey = (applicationId: number, courseGuid: string) => `${applicationId} ${courseGuid}`;

/**
 * Replaces each course's number of registrations by the number of the key's user
 * (contract/courses#user-key-count).
 *
 * @param nested whether `registrations` is the user's most recent registration and the number
 * moves to `registration_count` (contract/courses#nested-registrations)
 */
export async function* addOwnRegistrations(
  bus: BusClient,
  scope: AccessScope,
  pages: AsyncIterable<Page<CourseRecord>>,
  nested: boolean,
): AsyncGenerator<Page<Row>> {
  for await (const { items, next } of pages) {
    const latest = new Map<string, LatestRegistration>();
    for await (const each of findLatest(bus, scope, items)) {
      latest.set(courseKey(each.hosted_app_id, each.course_guid), each);
    }
    const rows = items.map((course) => {
      const own = latest.get(courseKey(course.course_provider_id, course.course_guid));
      const count = own?.count ?? 0;
      return nested
        ? { ...course, registration_count: count, registrations: own ?? null }
        : { ...course, registrations: count };
    });
    yield { items: rows, next };
  }
}
