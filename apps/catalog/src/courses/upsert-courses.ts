import { HandleEvent, Outbox, type PayloadOf } from '@registrar/bus';
import { coursesCrawled, type ProviderCourse } from '@registrar/contracts';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Controller, Injectable } from '@nestjs/common';
import { type CourseOverrides, PendingCreates } from './pending-creates.ts';
import {
  changedCourseColumns,
  changedCourseRow,
  publishCourseChanges,
} from './publish-course-changes.ts';

/** The courses of one provider application, as its provider returned them. */
export interface ProviderCourses {
  readonly applicationId: number;
  /** When the provider was called. A crawl has a sequence, a course create has none. */
  readonly stamp: { readonly sequence: number | null; readonly at: string };
  readonly courses: readonly ProviderCourse[];
  /** From the course create that read the course. */
  readonly overrides?: CourseOverrides;
}

/** Inserts and updates courses from what a provider returned, and publishes what changed. */
@Injectable()
export class UpsertCourses {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly pendingCreates: PendingCreates,
  ) {}

  async upsert({ applicationId, stamp, courses, overrides }: ProviderCourses): Promise<void> {
    await this.database.transaction(async () => {
      const pending = await this.pendingCreates.take(applicationId, stamp, courses);
      const rows = courses.map((course) => ({
        course_guid: course.courseGuid,
        title: course.title,
        size: course.size,
        versions: course.version,
        learning_standard: course.learningStandard,
        metadata: course.metadata,
        warnings: course.warnings,
        keywords: course.metadata.keywords,
        given_title: overrides?.title ?? pending.get(course.courseGuid)?.title ?? null,
        custom: overrides?.custom ?? pending.get(course.courseGuid)?.custom ?? null,
      }));
      const statement = upsertStatement(applicationId, stamp, JSON.stringify(rows));
      const changed = await this.database.many(changedCourseRow, statement);
      await publishCourseChanges(this.outbox, applicationId, changed);
    });
  }
}

/** Imports the courses that a crawl has found. A crawl counts by its sequence. */
@Controller()
export class ImportCrawledCourses {
  constructor(private readonly upsertCourses: UpsertCourses) {}

  @HandleEvent(coursesCrawled)
  async import(payload: PayloadOf<typeof coursesCrawled>): Promise<void> {
    const { applicationId, sequence, crawledAt: at, courses } = payload;
    await this.upsertCourses.upsert({ applicationId, stamp: { sequence, at }, courses });
  }
}

const newTitle = sql`coalesce(excluded.given_title, c.given_title, excluded.provider_title)`;

/** True when other contexts have to learn of the change. */
const isNews = sql`(
  c.deleted OR c.title <> ${newTitle} OR c.keywords IS DISTINCT FROM excluded.keywords
)`;

/** The size stays where the provider returns none. */
const newSize = sql`CASE WHEN excluded.size > 0 THEN excluded.size ELSE c.size END`;

/** Providers may say them of an import only: they stay until the course has another version. */
const newWarnings = sql`coalesce(
  excluded.warnings, CASE WHEN excluded.versions = c.versions AND NOT c.deleted THEN c.warnings END
)`;

const newCustom = sql`coalesce(excluded.custom, c.custom)`;

/** True when the record differs from the stored one. */
const isUpdate = sql`(
  c.deleted, c.title, c.size, c.versions, c.metadata::text, c.custom, c.warnings
) IS DISTINCT FROM (
  false, ${newTitle}, ${newSize}, excluded.versions, excluded.metadata::text, ${newCustom},
  ${newWarnings}
)`;

/**
 * The order in which answers arrive does not matter: a crawl's answer counts if its sequence is
 * newer than the stored one and no course create has read the course since; a course create's
 * answer always counts, since it was read just now.
 */
function upsertStatement(
  applicationId: number,
  { sequence, at }: ProviderCourses['stamp'],
  rows: string,
): Sql {
  const isNewer =
    sequence === null ? sql`true` : sql`c.sequence < ${sequence} AND c.confirmed_at <= ${at}`;
  // A crawl that began before the last sweep inserts nothing: that sweep did not find the course.
  const mayInsert =
    sequence === null
      ? sql`true`
      : sql`NOT EXISTS (
          SELECT FROM sweeps
          WHERE provider_application_id = ${applicationId} AND sequence > ${sequence}
        )`;
  return sql`
    INSERT INTO courses AS c (
      id, provider_application_id, course_guid, provider_title, given_title, size, versions,
      learning_standard, metadata, keywords, warnings, custom, sequence, confirmed_at
    )
    SELECT coalesce(known.id, nextval('course_ids')), ${applicationId}, crawled.course_guid,
           crawled.title, crawled.given_title, crawled.size, crawled.versions,
           crawled.learning_standard, crawled.metadata, crawled.keywords, crawled.warnings,
           crawled.custom, ${sequence ?? 0},
           ${sequence === null ? at : '-infinity'}::timestamptz
    FROM (
      SELECT DISTINCT ON (course_guid) *
      FROM json_to_recordset(${rows}::json) AS each (
        course_guid text, title text, size bigint, versions bigint, learning_standard text,
        metadata json, keywords text[], warnings text[], given_title text, custom text
      )
      ORDER BY course_guid -- one order for all: two pages cannot block each other
    ) AS crawled
    LEFT JOIN courses AS known
      ON known.provider_application_id = ${applicationId}
      AND known.course_guid = crawled.course_guid
    WHERE known.id IS NOT NULL OR ${mayInsert}
    ORDER BY crawled.course_guid
    ON CONFLICT (provider_application_id, course_guid) DO UPDATE
    SET provider_title = excluded.provider_title,
        given_title = coalesce(excluded.given_title, c.given_title),
        size = ${newSize}, versions = excluded.versions,
        learning_standard = excluded.learning_standard, metadata = excluded.metadata,
        keywords = excluded.keywords, warnings = ${newWarnings}, custom = ${newCustom}, deleted = false,
        updated_at = CASE WHEN ${isUpdate} THEN now() ELSE c.updated_at END,
        version = c.version + CASE WHEN ${isNews} THEN 1 ELSE 0 END,
        changed_at = CASE WHEN ${isNews} THEN now() ELSE c.changed_at END,
        sequence = greatest(c.sequence, excluded.sequence),
        confirmed_at = greatest(c.confirmed_at, excluded.confirmed_at)
    WHERE ${isNewer}
    RETURNING ${changedCourseColumns}`;
}
