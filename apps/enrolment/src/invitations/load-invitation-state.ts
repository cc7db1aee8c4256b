import { customPlan, Database, empty, type Sql, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { courseLockKey } from '../registrations/claim-registration.ts';
import { learnerOfAssignment } from './assignment-joins.ts';
import { type Invitation, type LockedInvitation } from './invitation-repository.ts';
import {
  assignment,
  type Assignment,
  type ExistingRegistration,
  type InvitationState,
  lockedRegistration,
  plannedCourse,
  type PlannedCourse,
} from './plan-learners.ts';

/** Joins `c`, the copied course of `invitation_courses AS i`: of a course that was deleted and created again, the existing one. */
export const invitedCourseTitles = sql`
  LEFT JOIN LATERAL (
    SELECT title, deleted FROM courses
    WHERE provider_application_id = i.provider_application_id
      AND course_guid = i.course_guid
    ORDER BY deleted, id DESC
    LIMIT 1
  ) AS c ON true`;

const seatsRow = z.object({ courseGuid: z.string(), free: z.number() });

/** Loads the state of an invitation as the learners of a request find it. */
@Injectable()
export class LoadInvitationState {
  constructor(private readonly database: Database) {}

  /**
   * Loads the state of a locked invitation, and locks the registrations of the learners.
   *
   * @param learnerKeys of all learners and unlearners of the request
   */
  async load(
    invitation: LockedInvitation,
    learnerKeys: readonly string[],
  ): Promise<InvitationState> {
    const courses = await this.courses(invitation);
    if (invitation.avoidsDuplicates) await this.lockCourses(courses);
    return this.read(invitation, courses, learnerKeys, sql`FOR UPDATE OF r`);
  }

  /** Loads the state without a lock: it may change before anything is done with it. */
  async peek(invitation: Invitation, learnerKeys: readonly string[]): Promise<InvitationState> {
    return this.read(invitation, await this.courses(invitation), learnerKeys, empty);
  }

  private async read(
    invitation: Invitation,
    courses: readonly PlannedCourse[],
    learnerKeys: readonly string[],
    lock: Sql,
  ): Promise<InvitationState> {
    const { license, avoidsDuplicates } = invitation;
    const assignments = await this.assignments(invitation, learnerKeys);
    return {
      courses,
      members: await this.members(invitation, learnerKeys),
      assignments,
      registrations: await this.registrations(invitation, learnerKeys, lock),
      avoidsDuplicates,
      license,
      freeSeats: await this.freeSeats(invitation),
    };
  }

  /** A course that is missing in the copy of courses is available: it has just been created. */
  private courses({ id }: Invitation): Promise<PlannedCourse[]> {
    return this.database.many(
      plannedCourse,
      sql`SELECT i.provider_application_id AS "applicationId", i.course_guid AS "courseGuid",
                 coalesce(c.title, i.course_guid) AS title,
                 NOT coalesce(c.deleted, false) AS available
          FROM invitation_courses AS i
          ${invitedCourseTitles}
          WHERE i.invitation_id = ${id}
          ORDER BY i.place`,
    );
  }

  /** Keeps concurrent requests that avoid duplicates from creating registrations of the courses. */
  private async lockCourses(courses: readonly PlannedCourse[]): Promise<void> {
    const keys = courses.map(courseLockKey).toSorted();
    await this.database.execute(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(name, 0))
          FROM unnest(${keys}::text[]) AS name`,
    );
  }

  private async members({ id }: Invitation, keys: readonly string[]): Promise<Set<string>> {
    const members = await this.database.many(
      z.object({ key: z.string() }),
      sql`SELECT lower(learner_id) AS key FROM invitation_learners
          WHERE invitation_id = ${id} AND lower(learner_id) = ANY(${keys})`,
    );
    return new Set(members.map((member) => member.key));
  }

  private assignments({ id }: Invitation, keys: readonly string[]): Promise<Assignment[]> {
    return this.database.many(
      assignment,
      sql`SELECT learner_key AS "learnerKey", course_guid AS "courseGuid",
                 registration_id AS "registrationId", holds_seat AS "holdsSeat"
          FROM invitation_registrations
          WHERE invitation_id = ${id} AND learner_key = ANY(${keys})`,
    );
  }

  private async registrations(
    { id, applicationIds, avoidsDuplicates }: Invitation,
    keys: readonly string[],
    lock: Sql,
  ): Promise<ExistingRegistration[]> {
    // All requests lock in the same order, so that they cannot deadlock.
    const found = await this.database.many(
      lockedRegistration,
      sql`SELECT r.id, r.provider_application_id AS "applicationId", r.course_guid AS "courseGuid",
                 lower(r.learner_id) AS "learnerKey", r.active, r.deleted IS NOT NULL AS deleted,
                 r.launched_at IS NOT NULL OR r.provider_accessed_at IS NOT NULL AS launched
          FROM registrations AS r
          WHERE r.provider_application_id = ANY(${applicationIds}) AND r.id IN (
            SELECT registration_id FROM invitation_registrations
            WHERE invitation_id = ${id} AND learner_key = ANY(${keys})
            UNION
            SELECT e.id
            FROM registrations AS e
            JOIN invitation_courses AS c USING (provider_application_id, course_guid)
            WHERE ${avoidsDuplicates} AND c.invitation_id = ${id}
              AND e.provider_application_id = ANY(${applicationIds})
              AND lower(e.learner_id) = ANY(${keys})
              AND e.active AND e.deleted IS NULL AND e.settle_after IS NULL
          )
          ORDER BY r.id
          ${lock} ${customPlan}`,
    );
    const ids = found.map((registration) => registration.id);
    const shared = await this.sharedRegistrations(id, ids);
    return found.map((each) => ({ ...each, shared: shared.has(each.id) }));
  }

  /**
   * Runs after the registrations were locked: of two invitations that concurrently remove the same
   * learner, the second one sees the removal of the first one.
   */
  private async sharedRegistrations(
    invitationId: number,
    registrationIds: readonly number[],
  ): Promise<Set<number>> {
    const shared = await this.database.many(
      z.object({ id: z.number() }),
      sql`SELECT DISTINCT a.registration_id AS id
          FROM invitation_registrations AS a
          ${learnerOfAssignment}
          WHERE a.registration_id = ANY(${registrationIds}) AND a.invitation_id <> ${invitationId}`,
    );
    return new Set(shared.map((registration) => registration.id));
  }

  private async freeSeats({ id }: Invitation): Promise<Map<string, number>> {
    const seats = await this.database.many(
      seatsRow,
      sql`SELECT course_guid AS "courseGuid", free FROM invitation_seats
          WHERE invitation_id = ${id}`,
    );
    return new Map(seats.map(({ courseGuid, free }) => [courseGuid, free]));
  }
}
