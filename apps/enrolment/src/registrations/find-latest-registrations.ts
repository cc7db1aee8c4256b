import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { findLatestRegistrations, registrationRecord } from '@registrar/contracts';
import { boundedRows, Database, decodeCursor, sql, toBoundedPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { registrationBytes, registrationColumns } from './registration-record.ts';
import { selectRegistrations } from './select-registrations.ts';

const latestRow = registrationRecord.extend({ count: z.number(), more: z.boolean() });

/** The registrations that are nested in a list of courses (contract/courses#nested-active-only). */
@Controller()
export class FindLatestRegistrations {
  constructor(private readonly database: Database) {}

  /** Returns none for a scope without a user (contract/courses#include-registrations). */
  @HandleRequest(findLatestRegistrations)
  async find(
    input: InputOf<typeof findLatestRegistrations>,
  ): Promise<ReplyOf<typeof findLatestRegistrations>> {
    const { scope, courses, cursor } = input;
    if (!scope.user) return { registrations: [], next: null };
    const latest = sql`
      SELECT DISTINCT ON (r.provider_application_id, r.course_guid) r.*,
             count(*) OVER (PARTITION BY r.provider_application_id, r.course_guid) AS count
      FROM (${selectRegistrations(scope, {})}) AS r
      JOIN unnest(
          ${courses.map((course) => course.applicationId)}::bigint[],
          ${courses.map((course) => course.courseGuid)}::text[]
        ) AS requested (provider_application_id, course_guid)
        USING (provider_application_id, course_guid)
      WHERE r.deleted IS NULL
      ORDER BY r.provider_application_id, r.course_guid, r.id DESC`;
    const limit = courses.length;
    const listed = sql`SELECT * FROM (${latest}) AS latest WHERE id > ${decodeCursor(cursor)}`;
    const rows = await this.database.many(
      latestRow,
      sql`SELECT ${registrationColumns}, r.count, r.more
          FROM (${boundedRows(listed, registrationBytes, { cursor, limit })}) AS r
          ORDER BY r.id`,
    );
    const { items, next } = toBoundedPage(rows);
    return { registrations: items, next };
  }
}
