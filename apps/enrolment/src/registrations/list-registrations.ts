import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  findLatestRegistrations,
  indexRegistrations,
  listAdoptedRegistrations,
  listedRegistrationRecord,
  registrationRecord,
} from '@registrar/contracts';
import {
  boundedRows,
  countRows,
  customPlan,
  Database,
  decodeCursor,
  readRowsOf,
  ReportReader,
  sql,
  timestampOf,
  toBoundedPage,
  toPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { orderedRegistrations, registrationOrders } from './ordered-registrations.ts';
import {
  hostedCourses,
  listedRegistrationColumns,
  registrationBytes,
  registrationColumns,
} from './registration-record.ts';
import { querySelected, selectRegistrations } from './select-registrations.ts';

const listedRow = listedRegistrationRecord.extend({
  more: z.boolean(),
  updated_micros: z.number(),
});
const latestRow = registrationRecord.extend({ count: z.number(), more: z.boolean() });
const adoptedRow = listAdoptedRegistrations.item.extend({ id: z.number() });

/** What the cursors of a list with current rows begin with; no cursor of an order does. */
const currentMark = 'current-';

function parseListCursor(given: string | null): { cursor: string | null; isCurrent: boolean } {
  const isCurrent = given?.startsWith(currentMark) ?? false;
  return { cursor: given && isCurrent ? given.slice(currentMark.length) : given, isCurrent };
}

/**
 * Whether a list may be read as a report: a client has not excluded it, and it is not about one registration
 * or one learner, who may have just been written.
 */
const isReport = ({
  scope,
  filters,
  lastOnly,
  mayBeOld = false,
}: InputOf<typeof indexRegistrations>) =>
  mayBeOld &&
  !lastOnly &&
  (scope.user ?? filters.learnerId ?? filters.registrationGuid ?? null) === null;

/** Lists registrations, page by page. */
@Controller()
export class ListRegistrations {
  constructor(
    private readonly database: Database,
    private readonly reports: ReportReader,
  ) {}

  /**
   * Registration index (contract/registrations#index). A list that began with current rows goes on with
   * them, so that its age holds for all of it.
   */
  @HandleRequest(indexRegistrations)
  async index(
    input: InputOf<typeof indexRegistrations>,
  ): Promise<ReplyOf<typeof indexRegistrations>> {
    const { scope, filters, sort = 'id', count } = input;
    const mayBeOld = isReport(input);
    const { cursor, isCurrent } = parseListCursor(input.cursor);
    const part = { ...input, cursor };
    const order = registrationOrders[sort];
    const listed = orderedRegistrations(scope, filters, order, { ...part, rows: readRowsOf(part) });
    const statement = sql`
      SELECT ${listedRegistrationColumns}, r.more, ${order.updatedMicros} AS updated_micros
      FROM (${boundedRows(listed, registrationBytes, part, order.order)}) AS r ${hostedCourses}
      ORDER BY ${order.orderOfR}`;
    const [{ value: rows, ageSeconds }, total] = await Promise.all([
      this.reports.read(
        (source) => querySelected(source, scope, filters, listedRow, statement),
        mayBeOld && !isCurrent,
      ),
      count
        ? countRows(this.database, scope, selectRegistrations(scope, filters, input))
        : undefined,
    ]);
    const last = rows.at(-1);
    const next = last?.more ? order.cursorAfter(last) : null;
    return {
      items: rows.map(({ more: _, updated_micros: __, ...record }) => record),
      next: next && mayBeOld && ageSeconds === null ? currentMark + next : next,
      total,
      ...(ageSeconds !== null && { ageSeconds }),
    };
  }

  /**
   * The registrations that are nested in a list of courses (contract/courses#nested-active-only). Returns
   * none for a scope without a user (contract/courses#include-registrations).
   */
  @HandleRequest(findLatestRegistrations)
  async findLatest(
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

  /** What crawls found at course providers and this service did not know, for the operator. */
  @HandleRequest(listAdoptedRegistrations)
  async listAdopted({
    since,
    cursor,
    limit,
  }: InputOf<typeof listAdoptedRegistrations>): Promise<ReplyOf<typeof listAdoptedRegistrations>> {
    // Every other registration has a user.
    const rows = await this.database.many(
      adoptedRow,
      sql`SELECT id, ${timestampOf(sql`created_at`)} AS adopted_at,
                 provider_application_id AS application,
                 registration_guid, course_guid, learner_id
          FROM registrations
          WHERE user_id IS NULL AND created_at >= ${since} AND id > ${decodeCursor(cursor)}
          ORDER BY id
          LIMIT ${limit + 1} ${customPlan}`,
    );
    const { items, next } = toPage(rows, limit);
    return { items: items.map(({ id: _, ...found }) => found), next };
  }
}
