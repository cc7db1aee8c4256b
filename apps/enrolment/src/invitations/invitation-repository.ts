import { type InputOf } from '@registrar/bus';
import {
  type AccessScope,
  type createInvitation,
  Failure,
  type InvitationRecord,
  type updateInvitation,
} from '@registrar/contracts';
import {
  Database,
  empty,
  raw,
  type Sql,
  sql,
  sqlState,
  uniqueViolation,
} from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { reachedInvitations } from '../access-rules.ts';
import { invitationColumns, invitationRow, toInvitationRecord } from './invitation-record.ts';
import { type SeatCounts } from './license-data.ts';

/** Selects an invitation of a realm by its id or by its name. */
export type InvitationSelector = InputOf<typeof updateInvitation>['invitation'];

/** An invitation, with the provider applications of its realm. */
export type Invitation = Readonly<z.infer<typeof foundRow>> & {
  readonly applicationIds: readonly number[];
};
/** An invitation whose row is locked by the current transaction. */
export type LockedInvitation = Invitation;

const foundRow = z.object({
  id: z.number(),
  realmId: z.number(),
  name: z.string(),
  enabled: z.boolean(),
  license: z.boolean(),
  avoidsDuplicates: z.boolean(),
  noUpdatesAllowed: z.boolean(),
  custom: z.string().nullable(),
});

/** A course of an invitation, and the provider application that it belongs to. */
export type InvitedCourse = Readonly<z.infer<typeof invitedCourseRow>>;

export const invitedCourseRow = z.object({ applicationId: z.number(), courseGuid: z.string() });

const notFound = () => new Failure('not-found', 'the realm has no such invitation');

const selected = (scope: AccessScope, selector: InvitationSelector): Sql => {
  const named = selector.by === 'id' ? sql`i.id = ${selector.id}` : sql`i.name = ${selector.name}`;
  return sql`${reachedInvitations(scope)} AND ${named}`;
};

/** Reads and writes invitations with their courses and seats. */
@Injectable()
export class InvitationRepository {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `not-found` */
  async find(
    scope: AccessScope,
    selector: InvitationSelector,
    lock: Sql = empty,
  ): Promise<Invitation> {
    const invitation = await this.database.maybeOne(
      foundRow,
      sql`SELECT i.id, i.realm_id AS "realmId", i.name, i.enabled, i.license,
                 i.avoid_duplicate_registrations AS "avoidsDuplicates",
                 i.no_updates_allowed AS "noUpdatesAllowed", i.custom
          FROM invitations AS i
          WHERE ${selected(scope, selector)} ${lock}`,
    );
    if (!invitation) throw notFound();
    return { ...invitation, applicationIds: scope.applicationIds };
  }

  /**
   * Locks an invitation until the end of the current transaction. Every change of its learners,
   * courses or seats takes this lock first, so that no seat is sold twice (seats.ts).
   *
   * @throws {Failure} `not-found`
   */
  lock(scope: AccessScope, selector: InvitationSelector): Promise<LockedInvitation> {
    return this.find(scope, selector, raw('FOR UPDATE'));
  }

  /**
   * Inserts an invitation without courses and seats, and returns its id.
   *
   * @throws {Failure} `invalid` if the realm has an invitation of that name
   */
  async insert(input: InputOf<typeof createInvitation> & { name: string }): Promise<number> {
    const { id } = await this.database
      .one(
        z.object({ id: z.number() }),
        sql`INSERT INTO invitations (
              realm_id, name, description, enabled, license, avoid_duplicate_registrations,
              no_updates_allowed, custom, invitation_template_id
            )
            VALUES (
              ${input.scope.realmId}, ${input.name}, ${input.description}, ${input.enabled ?? true},
              ${input.license ?? false}, ${input.avoidDuplicateRegistrations ?? false},
              ${input.noUpdatesAllowed ?? false}, ${input.custom}, ${input.invitationTemplateId}
            )
            RETURNING id`,
      )
      .catch(refuseTakenName);
    return id;
  }

  /**
   * Sets the fields that are not null in the input (contract/invitations#update-fields).
   *
   * @throws {Failure} `invalid` if the realm has another invitation of that name
   */
  async update(id: number, input: InputOf<typeof updateInvitation>): Promise<void> {
    await this.database
      .execute(
        sql`UPDATE invitations AS i
            SET name = coalesce(${input.name}, name),
                description = coalesce(${input.description}, description),
                enabled = coalesce(${input.enabled}, enabled),
                license = coalesce(${input.license}, license),
                avoid_duplicate_registrations =
                  coalesce(${input.avoidDuplicateRegistrations}, avoid_duplicate_registrations),
                no_updates_allowed = coalesce(${input.noUpdatesAllowed}, no_updates_allowed),
                custom = coalesce(${input.custom}, custom),
                invitation_template_id =
                  coalesce(${input.invitationTemplateId}, invitation_template_id),
                updated_at = now()
            WHERE ${selected(input.scope, { by: 'id', id })}`,
      )
      .catch(refuseTakenName);
  }

  /** Returns the courses of an invitation; an empty list if there is no such invitation. */
  courses(scope: AccessScope, selector: InvitationSelector): Promise<InvitedCourse[]> {
    return this.database.many(
      invitedCourseRow,
      sql`SELECT c.provider_application_id AS "applicationId", c.course_guid AS "courseGuid"
          FROM invitations AS i JOIN invitation_courses AS c ON c.invitation_id = i.id
          WHERE ${selected(scope, selector)}`,
    );
  }

  /** Replaces the courses of an invitation that the caller has locked or inserted. */
  async setCourses(invitationId: number, courses: readonly InvitedCourse[]): Promise<void> {
    const applicationIds = courses.map((course) => course.applicationId);
    const courseGuids = courses.map((course) => course.courseGuid);
    await this.database.execute(
      sql`WITH dropped AS (
            DELETE FROM invitation_courses
            WHERE invitation_id = ${invitationId} AND course_guid <> ALL(${courseGuids})
          )
          INSERT INTO invitation_courses
            (invitation_id, place, provider_application_id, course_guid)
          SELECT ${invitationId}, c.place, c.provider_application_id, c.course_guid
          FROM unnest(${applicationIds}::bigint[], ${courseGuids}::text[])
            WITH ORDINALITY AS c (provider_application_id, course_guid, place)
          ON CONFLICT (invitation_id, course_guid) DO UPDATE
          SET place = excluded.place, provider_application_id = excluded.provider_application_id`,
    );
  }

  /** Replaces the free seats of an invitation that the caller has locked or inserted. */
  async setSeats(invitationId: number, seats: SeatCounts): Promise<void> {
    const courseGuids = [...seats.keys()];
    await this.database.execute(
      sql`WITH dropped AS (
            DELETE FROM invitation_seats
            WHERE invitation_id = ${invitationId} AND course_guid <> ALL(${courseGuids})
          )
          INSERT INTO invitation_seats (invitation_id, course_guid, free)
          SELECT ${invitationId}, s.course_guid, s.free
          FROM unnest(${courseGuids}::text[], ${[...seats.values()]}::integer[])
            AS s (course_guid, free)
          ON CONFLICT (invitation_id, course_guid) DO UPDATE SET free = excluded.free`,
    );
  }

  /** @throws {Failure} `not-found` */
  async record(scope: AccessScope, invitationId: number): Promise<InvitationRecord> {
    const row = await this.database.maybeOne(
      invitationRow,
      sql`SELECT ${invitationColumns(scope)} FROM invitations AS i
          WHERE ${selected(scope, { by: 'id', id: invitationId })}`,
    );
    if (!row) throw notFound();
    return toInvitationRecord(row);
  }
}

function refuseTakenName(error: unknown): never {
  if (sqlState(error) !== uniqueViolation) throw error;
  // contract/invitations#unique-name
  throw new Failure('invalid', 'the realm has an invitation of that name');
}
