import { type Outbox, type PayloadOf } from '#libs/bus';
import { courseChanged } from '#libs/contracts';

/** What the other contexts need to know of a course, but for its provider application. */
export type ChangedCourse = Omit<PayloadOf<typeof courseChanged>, 'applicationId'>;

export async function publishChanges(
  outbox: Outbox,
  applicationId: number,
  courses: readonly ChangedCourse[],
): Promise<void> {
  const payloads = courses.map(({ courseId, courseGuid, title, deleted, version }) => {
    return { courseId, applicationId, courseGuid, title, deleted, version };
  });
  await outbox.publishAll(courseChanged, payloads);
}
