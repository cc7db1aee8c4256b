import { type InputOf, type ReplyOf } from '#libs/bus';
import { type latestRegistrations } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import {
  registrationColumns,
  registrationRecord,
  type RegistrationRow,
} from './registration-record.ts';
import { selectRegistrations } from './selection.ts';

/** What nests in a list of courses (api-v2.md, include_registrations; decision 18). */
@Injectable()
export class LatestRegistrations {
  constructor(private readonly database: Database) {}

  /** Answers nothing when the scope is not bound to a user. */
  async run(
    input: InputOf<typeof latestRegistrations>,
  ): Promise<ReplyOf<typeof latestRegistrations>> {
    const { scope, courses } = input;
    if (!scope.user) return { registrations: [] };
    const selected = selectRegistrations(scope, {});
    const count = selected.parameters.length;
    const rows = await this.database.query<RegistrationRow & { count: number }>(
      `SELECT DISTINCT ON (r.provider_application_id, r.course_guid) ${registrationColumns},
         count(*) OVER (PARTITION BY r.provider_application_id, r.course_guid)::integer AS count
       FROM (${selected.sql}) AS r
       JOIN unnest($${count + 1}::integer[], $${count + 2}::text[])
         AS asked (provider_application_id, course_guid)
         USING (provider_application_id, course_guid)
       WHERE r.deleted IS NULL
       ORDER BY r.provider_application_id, r.course_guid, r.id DESC`,
      [
        ...selected.parameters,
        courses.map((course) => course.applicationId),
        courses.map((course) => course.courseGuid),
      ],
    );
    return {
      registrations: rows.map(({ count, ...row }) => ({ ...registrationRecord(row), count })),
    };
  }
}
