import { Outbox } from '#libs/bus';
import { type ProviderCourse } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type GivenCourse, PendingCreates } from './pending-creates.ts';
import { type ChangedCourse, publishChanges } from './publish-changes.ts';

/** What a provider answered about courses of one provider application. */
export interface ToldCourses {
  readonly applicationId: number;
  /** When the provider was asked. A crawl brings its sequence; a create has none. */
  readonly asked: { readonly sequence: number | null; readonly at: string };
  readonly courses: readonly ProviderCourse[];
  /** Of a create. */
  readonly given?: GivenCourse;
}

const newTitle = 'coalesce(excluded.given_title, c.given_title, excluded.provider_title)';

/** Whether the other contexts have something to learn. */
const isNews = `(c.deleted OR c.title <> ${newTitle})`;

/** Whether the record is another than before. The size stays where the provider tells none. */
const newSize = 'CASE WHEN excluded.size > 0 THEN excluded.size ELSE c.size END';
const newCustom = 'coalesce(excluded.custom, c.custom)';
const isUpdate = `(
  c.deleted, c.title, c.size, c.versions, c.registrations, c.metadata::text, c.custom
) IS DISTINCT FROM (
  false, ${newTitle}, ${newSize}, excluded.versions, excluded.registrations,
  excluded.metadata::text, ${newCustom}
)`;

/**
 * Only newer answers count, whatever the order in which they come: a crawl's by its sequence,
 * and not when a create has asked since; a create's always, for it comes straight from there.
 */
const isNewer = `(
  $2::bigint IS NULL OR (c.sequence < $2 AND c.confirmed_at <= $3)
)`;

/** A crawl before the last sweep adds nothing: what that sweep did not see is gone. */
const isNoRelic = `(
  known.id IS NOT NULL OR $2::bigint IS NULL OR NOT EXISTS (
    SELECT FROM sweeps WHERE provider_application_id = $1 AND sequence > $2
  )
)`;

const keep = `
  INSERT INTO courses AS c (
    id, provider_application_id, course_guid, provider_title, given_title, size, versions,
    registrations, learning_standard, metadata, custom, sequence, confirmed_at
  )
  SELECT coalesce(known.id, nextval('course_ids')), $1, told.course_guid, told.title,
         told.given_title, told.size, told.versions, told.registrations, told.learning_standard,
         told.metadata, told.custom, coalesce($2::bigint, 0), CASE WHEN $2::bigint IS NULL THEN $3::timestamptz ELSE '-infinity' END
  FROM (
    SELECT DISTINCT ON (course_guid) *
    FROM json_to_recordset($4::json) AS each (
      course_guid text, title text, size bigint, versions bigint, registrations bigint,
      learning_standard text, metadata json, given_title text, custom text
    )
    ORDER BY course_guid -- one order for all: two pages cannot block each other
  ) AS told
  LEFT JOIN courses AS known
    ON known.provider_application_id = $1 AND known.course_guid = told.course_guid
  WHERE ${isNoRelic}
  ORDER BY told.course_guid
  ON CONFLICT (provider_application_id, course_guid) DO UPDATE
  SET provider_title = excluded.provider_title,
      given_title = coalesce(excluded.given_title, c.given_title),
      size = ${newSize}, versions = excluded.versions, registrations = excluded.registrations,
      learning_standard = excluded.learning_standard, metadata = excluded.metadata,
      custom = ${newCustom}, deleted = false,
      updated_at = CASE WHEN ${isUpdate} THEN now() ELSE c.updated_at END,
      version = c.version + CASE WHEN ${isNews} THEN 1 ELSE 0 END,
      changed_at = CASE WHEN ${isNews} THEN now() ELSE c.changed_at END,
      sequence = greatest(c.sequence, excluded.sequence),
      confirmed_at = greatest(c.confirmed_at, excluded.confirmed_at)
  WHERE ${isNewer}
  RETURNING c.id AS "courseId", c.course_guid AS "courseGuid", c.title, c.deleted, c.version,
            c.changed_at = now() AS "isNews"`;

/** Takes over what a provider tells of its courses, and publishes what others need to know. */
@Injectable()
export class KeepCourses {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly pendingCreates: PendingCreates,
  ) {}

  async run({ applicationId, asked, courses, given }: ToldCourses): Promise<void> {
    await this.database.transaction(async () => {
      const pending = await this.pendingCreates.take(applicationId, asked, courses);
      const told = courses.map((course) => ({
        course_guid: course.courseGuid,
        title: course.title,
        size: course.size,
        versions: course.version,
        registrations: course.registrationCount,
        learning_standard: course.learningStandard,
        metadata: course.metadata,
        given_title: given?.title ?? pending.get(course.courseGuid)?.title ?? null,
        custom: given?.custom ?? pending.get(course.courseGuid)?.custom ?? null,
      }));
      const kept = await this.database.query<ChangedCourse & { isNews: boolean }>(keep, [
        applicationId,
        asked.sequence,
        asked.at,
        JSON.stringify(told),
      ]);
      const news = kept.filter((course) => course.isNews);
      await publishChanges(this.outbox, applicationId, news);
    });
  }
}
