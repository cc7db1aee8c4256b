import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  Failure,
  invitationSummary,
  listInvitationCourses,
  listInvitationLearners,
  listInvitationSummaries,
  maxCountedSeats,
  maxShownAssignments,
} from '@registrar/contracts';
import {
  customPlan,
  Database,
  decodeCursor,
  empty,
  join,
  raw,
  type Sql,
  sql,
  timestampOf,
  toPage,
} from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { reachedInvitations, requireRealmAccess } from '../access-rules.ts';
import { registrationOfAssignment } from './assignment-joins.ts';
import { invitedCourseTitles } from './load-invitation-state.ts';

const courseRow = listInvitationCourses.item.extend({ id: z.number() });
const learnerRow = listInvitationLearners.item.omit({ hasMore: true }).extend({ id: z.number() });

/** SQL of the number of rows of a statement, which reads one more than {@link maxCountedSeats} at most. */
const boundedCount = (rows: Sql): Sql =>
  sql`(SELECT count(*) FROM (${rows} LIMIT ${raw(`${maxCountedSeats + 1}`)}) AS counted)::integer`;

/** Shows invitations and what became of their learners, for the console. No number takes longer than its bound. */
@Controller()
export class ShowInvitations {
  constructor(private readonly database: Database) {}

  @HandleRequest(listInvitationSummaries)
  async list(
    input: InputOf<typeof listInvitationSummaries>,
  ): Promise<ReplyOf<typeof listInvitationSummaries>> {
    const { scope, filters, cursor, limit } = input;
    requireRealmAccess(scope);
    const conditions = [
      reachedInvitations(scope),
      ...(filters.id === undefined ? [] : [sql`i.id = ${filters.id}`]),
      ...(filters.name === undefined ? [] : [sql`i.name = ${filters.name}`]),
      ...(cursor === null ? [] : [sql`i.id < ${decodeCursor(cursor)}`]),
    ];
    const rows = await this.database.many(
      invitationSummary,
      sql`SELECT i.id, i.name, i.description, i.enabled, i.license, i.avoid_duplicate_registrations,
                 i.no_updates_allowed,
                 (SELECT count(*) FROM invitation_courses AS c WHERE c.invitation_id = i.id)::integer
                   AS courses,
                 ${boundedCount(
                   sql`SELECT FROM invitation_learners AS m WHERE m.invitation_id = i.id`,
                 )} AS learners,
                 CASE WHEN i.license THEN json_build_object(
                   'free', (SELECT coalesce(sum(s.free), 0) FROM invitation_seats AS s
                            WHERE s.invitation_id = i.id),
                   'taken', ${boundedCount(
                     sql`SELECT FROM invitation_registrations AS a
                         WHERE a.invitation_id = i.id AND a.holds_seat`,
                   )}
                 ) END AS seats,
                 ${timestampOf(sql`i.created_at`)} AS created_at,
                 ${timestampOf(sql`i.updated_at`)} AS updated_at
          FROM (
            SELECT i.* FROM invitations AS i WHERE ${join(conditions, ' AND ')}
            ORDER BY i.id DESC LIMIT ${limit + 1}
          ) AS i
          ORDER BY i.id DESC ${customPlan}`,
    );
    return toPage(rows, limit);
  }

  @HandleRequest(listInvitationCourses)
  async listCourses(
    input: InputOf<typeof listInvitationCourses>,
  ): Promise<ReplyOf<typeof listInvitationCourses>> {
    const { invitationId, cursor, limit } = input;
    await this.requireReached(input);
    const rows = await this.database.many(
      courseRow,
      sql`WITH taken AS MATERIALIZED (
            SELECT counted.course_guid, count(*)::integer AS seats
            FROM (
              SELECT a.course_guid FROM invitation_registrations AS a
              WHERE a.invitation_id = ${invitationId} AND a.holds_seat
              LIMIT ${maxCountedSeats}
            ) AS counted
            GROUP BY counted.course_guid
          )
          SELECT i.place AS id, i.course_guid, coalesce(c.title, i.course_guid) AS title,
                 coalesce(c.deleted, false) AS deleted,
                 CASE WHEN s.free IS NOT NULL OR t.seats IS NOT NULL THEN json_build_object(
                   'free', coalesce(s.free, 0), 'taken', coalesce(t.seats, 0)
                 ) END AS seats
          FROM invitation_courses AS i
          ${invitedCourseTitles}
          LEFT JOIN invitation_seats AS s
            ON s.invitation_id = i.invitation_id AND s.course_guid = i.course_guid
          LEFT JOIN taken AS t ON t.course_guid = i.course_guid
          WHERE i.invitation_id = ${invitationId} AND i.place > ${decodeCursor(cursor)}
          ORDER BY i.place
          LIMIT ${limit + 1} ${customPlan}`,
    );
    const { items, next } = toPage(rows, limit);
    return { items: items.map(({ id: _, ...course }) => course), next };
  }

  @HandleRequest(listInvitationLearners)
  async listLearners(
    input: InputOf<typeof listInvitationLearners>,
  ): Promise<ReplyOf<typeof listInvitationLearners>> {
    const { scope, invitationId, learnerId, cursor, limit } = input;
    await this.requireReached(input);
    const isLearner =
      learnerId === null ? empty : sql`AND lower(m.learner_id) = lower(${learnerId})`;
    const rows = await this.database.many(
      learnerRow,
      sql`SELECT m.id, m.learner_id, (
                   SELECT coalesce(json_agg(row_to_json(found) ORDER BY found.course_guid), '[]')
                   FROM (
                     SELECT a.course_guid, r.registration_guid, r.provider_state, a.holds_seat,
                            ${timestampOf(sql`r.launched_at`)} AS launched_at,
                            r.complete, r.success, r.score, r.deleted IS NOT NULL AS deleted
                     FROM (
                       SELECT * FROM invitation_registrations AS a
                       WHERE a.invitation_id = m.invitation_id AND a.learner_key = lower(m.learner_id)
                       ORDER BY a.course_guid
                       LIMIT ${maxShownAssignments + 1}
                     ) AS a
                     ${registrationOfAssignment(scope.applicationIds)}
                     WHERE r.realm_id = ${scope.realmId} AND r.active
                   ) AS found
                 ) AS registrations
          FROM (
            SELECT * FROM invitation_learners AS m
            WHERE m.invitation_id = ${invitationId} AND m.id > ${decodeCursor(cursor)} ${isLearner}
            ORDER BY m.id LIMIT ${limit + 1}
          ) AS m
          ORDER BY m.id ${customPlan}`,
    );
    const { items, next } = toPage(rows, limit);
    return {
      items: items.map(({ learner_id, registrations }) => ({
        learner_id,
        registrations: registrations.slice(0, maxShownAssignments),
        hasMore: registrations.length > maxShownAssignments,
      })),
      next,
    };
  }

  /** @throws {Failure} `not-found` */
  private async requireReached({
    scope,
    invitationId,
  }: Pick<InputOf<typeof listInvitationCourses>, 'scope' | 'invitationId'>): Promise<void> {
    requireRealmAccess(scope);
    const found = await this.database.maybeOne(
      z.object({ id: z.number() }),
      sql`SELECT i.id FROM invitations AS i WHERE i.id = ${invitationId} AND ${reachedInvitations(scope)}`,
    );
    if (!found) throw new Failure('not-found', 'the realm has no such invitation');
  }
}
