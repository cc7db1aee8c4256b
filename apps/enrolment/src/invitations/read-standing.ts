import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { courseLock } from '../registrations/claim-registration.ts';
import {
  type Grant,
  type KnownRegistration,
  type PlannedCourse,
  type Standing,
} from './plan-learners.ts';
import { Seats } from './seats.ts';

/** An invitation whose row the caller has locked. */
export interface LockedInvitation {
  readonly id: number;
  readonly realmId: number;
  readonly name: string;
  readonly enabled: boolean;
  readonly license: boolean;
  readonly avoidsDuplicates: boolean;
  readonly noUpdatesAllowed: boolean;
}

/** Reads how a locked invitation stands to learners, and locks their registrations. */
@Injectable()
export class ReadStanding {
  constructor(private readonly database: Database) {}

  /** @param learnerKeys of all learners and unlearners of the call */
  async run(invitation: LockedInvitation, learnerKeys: readonly string[]): Promise<Standing> {
    const { license, avoidsDuplicates } = invitation;
    const courses = await this.courses(invitation);
    if (avoidsDuplicates) await this.lockCourses(courses);
    const grants = await this.grants(invitation, learnerKeys);
    return {
      courses,
      members: await this.members(invitation, learnerKeys),
      grants,
      registrations: await this.registrations(invitation, learnerKeys),
      avoidsDuplicates,
      license,
      seats: await this.seats(invitation),
    };
  }

  /** A course that the copy does not know yet was made just now: it is there. */
  private courses({ id }: LockedInvitation): Promise<PlannedCourse[]> {
    return this.database.query<PlannedCourse>(
      `SELECT i.provider_application_id AS "applicationId", i.course_guid AS "courseGuid",
              coalesce(c.title, i.course_guid) AS title, NOT coalesce(c.deleted, false) AS available
       FROM invitation_courses AS i
       LEFT JOIN LATERAL (
         SELECT title, deleted FROM courses
         WHERE provider_application_id = i.provider_application_id AND course_guid = i.course_guid
         ORDER BY deleted, id DESC
         LIMIT 1
       ) AS c ON true
       WHERE i.invitation_id = $1
       ORDER BY i.place`,
      [id],
    );
  }

  /** Keeps others who avoid duplicates from making what is about to be looked for. */
  private async lockCourses(courses: readonly PlannedCourse[]): Promise<void> {
    await this.database.query(
      'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest($1::text[]) AS name',
      [courses.map(courseLock).toSorted()],
    );
  }

  private async members({ id }: LockedInvitation, keys: readonly string[]): Promise<Set<string>> {
    const members = await this.database.query<{ key: string }>(
      `SELECT lower(learner_id) AS key FROM invitation_learners
       WHERE invitation_id = $1 AND lower(learner_id) = ANY($2)`,
      [id, keys],
    );
    return new Set(members.map((member) => member.key));
  }

  private grants({ id }: LockedInvitation, keys: readonly string[]): Promise<Grant[]> {
    return this.database.query<Grant>(
      `SELECT learner_key AS "learnerKey", course_guid AS "courseGuid",
              registration_id AS "registrationId", holds_seat AS "holdsSeat"
       FROM invitation_registrations
       WHERE invitation_id = $1 AND learner_key = ANY($2)`,
      [id, keys],
    );
  }

  private async registrations(
    { id, realmId, avoidsDuplicates }: LockedInvitation,
    keys: readonly string[],
  ): Promise<KnownRegistration[]> {
    // All in one order, so that calls about the same learners cannot block each other.
    const locked = await this.database.query<Omit<KnownRegistration, 'sharedWithOther'>>(
      `SELECT r.id, r.provider_application_id AS "applicationId", r.course_guid AS "courseGuid",
              lower(r.learner_id) AS "learnerKey", r.active, r.deleted IS NOT NULL AS deleted,
              r.launched_at IS NOT NULL OR r.provider_accessed_at IS NOT NULL AS launched
       FROM registrations AS r
       WHERE r.realm_id = $2 AND r.id IN (
         SELECT registration_id FROM invitation_registrations
         WHERE invitation_id = $1 AND learner_key = ANY($3)
         UNION
         SELECT e.id
         FROM registrations AS e
         JOIN invitation_courses AS c USING (provider_application_id, course_guid)
         WHERE $4 AND c.invitation_id = $1 AND e.realm_id = $2 AND lower(e.learner_id) = ANY($3)
           AND e.active AND e.deleted IS NULL AND e.settle_after IS NULL
       )
       ORDER BY r.id
       FOR UPDATE OF r`,
      [id, realmId, keys, avoidsDuplicates],
    );
    const shared = await this.shared(
      id,
      locked.map((registration) => registration.id),
    );
    return locked.map((each) => ({ ...each, sharedWithOther: shared.has(each.id) }));
  }

  /** Asked after the lock, so that of two invitations that let go at once the second one sees it. */
  private async shared(id: number, registrationIds: readonly number[]): Promise<Set<number>> {
    const shared = await this.database.query<{ id: number }>(
      `SELECT DISTINCT g.registration_id AS id
       FROM invitation_registrations AS g
       JOIN invitation_learners AS m
         ON m.invitation_id = g.invitation_id AND lower(m.learner_id) = g.learner_key
       WHERE g.registration_id = ANY($2) AND g.invitation_id <> $1`,
      [id, registrationIds],
    );
    return new Set(shared.map((registration) => registration.id));
  }

  private async seats({ id }: LockedInvitation): Promise<Seats> {
    const seats = await this.database.query<{ courseGuid: string; free: number }>(
      `SELECT course_guid AS "courseGuid", free FROM invitation_seats WHERE invitation_id = $1`,
      [id],
    );
    return new Seats(new Map(seats.map(({ courseGuid, free }) => [courseGuid, free])));
  }
}
