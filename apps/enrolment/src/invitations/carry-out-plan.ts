import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { type Grant, learnerKey, type NewGrant, type Plan } from './plan-learners.ts';
import { type LockedInvitation } from './read-standing.ts';
import { type Seats } from './seats.ts';

/** How the registrations that a plan makes get to the provider. */
export interface MakingOf {
  /** By the key of the learner. */
  readonly userIds: ReadonlyMap<string, number>;
  /** They are never made at the provider. */
  readonly local: boolean;
  /** Milliseconds for which the background leaves them to the caller. */
  readonly reservedFor: number;
}

/** Writes down what a plan has decided, each kind of change by one statement. */
@Injectable()
export class CarryOutPlan {
  constructor(private readonly database: Database) {}

  async run(
    invitation: LockedInvitation,
    plan: Plan,
    seats: Seats,
    making: MakingOf,
  ): Promise<void> {
    await this.setActive(invitation, plan.deactivated, false);
    await this.setActive(invitation, plan.activated, true);
    await this.removeLearners(invitation, plan.leaving);
    await this.releaseSeats(invitation, plan.released);
    await this.addLearners(invitation, plan, making);
    await this.make(invitation, plan.made, making);
    await this.grant(invitation, plan.granted);
    await this.countSeats(invitation, seats.changes());
    const { joining, leaving, made, granted } = plan;
    if ([joining, leaving, made, granted].every((changes) => changes.length === 0)) return;
    await this.database.query(
      'UPDATE invitations SET updated_at = now() WHERE realm_id = $1 AND id = $2',
      [invitation.realmId, invitation.id],
    );
  }

  /** The registrations were locked when the plan was made. */
  private async setActive(
    { realmId }: LockedInvitation,
    ids: readonly number[],
    active: boolean,
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.database.query(
      `UPDATE registrations SET active = $3, updated_at = now()
       WHERE realm_id = $1 AND id = ANY($2)`,
      [realmId, ids, active],
    );
  }

  private async removeLearners({ id }: LockedInvitation, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.database.query(
      'DELETE FROM invitation_learners WHERE invitation_id = $1 AND lower(learner_id) = ANY($2)',
      [id, keys],
    );
  }

  private async releaseSeats({ id }: LockedInvitation, released: Plan['released']): Promise<void> {
    if (released.length === 0) return;
    await this.database.query(
      `UPDATE invitation_registrations AS g SET holds_seat = false
       FROM unnest($2::text[], $3::text[]) AS r (learner_key, course_guid)
       WHERE g.invitation_id = $1 AND g.learner_key = r.learner_key
         AND g.course_guid = r.course_guid`,
      [id, released.map((each) => each.learnerKey), released.map((each) => each.courseGuid)],
    );
  }

  private async addLearners(
    { id }: LockedInvitation,
    { joining }: Plan,
    { userIds }: MakingOf,
  ): Promise<void> {
    if (joining.length === 0) return;
    await this.database.query(
      `INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
       SELECT $1, l.learner_id, l.user_id
       FROM unnest($2::text[], $3::integer[])
         WITH ORDINALITY AS l (learner_id, user_id, place)
       ORDER BY l.place`,
      [id, joining, joining.map((learnerId) => userIds.get(learnerKey(learnerId)))],
    );
  }

  /** A registration that takes the place of a deleted one keeps its seat. */
  private async make(
    { id, realmId, license }: LockedInvitation,
    made: readonly NewGrant[],
    { userIds, local, reservedFor }: MakingOf,
  ): Promise<void> {
    if (made.length === 0) return;
    await this.database.query(
      `WITH made AS (
         INSERT INTO registrations (
           realm_id, provider_application_id, registration_guid, course_guid, learner_id, user_id,
           provider_state, initialise_after
         )
         SELECT $2, n.provider_application_id, gen_random_uuid()::text, n.course_guid,
                n.learner_id, n.user_id, CASE WHEN $4 THEN 'local' ELSE 'waiting' END,
                CASE WHEN NOT $4 THEN now() + $5 * interval '1 ms' END
         FROM unnest($6::integer[], $7::text[], $8::text[], $9::integer[]) WITH ORDINALITY
           AS n (provider_application_id, course_guid, learner_id, user_id, place)
         ORDER BY n.place
         RETURNING id, lower(learner_id) AS learner_key, course_guid
       )
       INSERT INTO invitation_registrations AS g (
         invitation_id, learner_key, course_guid, registration_id, holds_seat
       )
       SELECT $1, learner_key, course_guid, id, $3 FROM made
       ON CONFLICT (invitation_id, learner_key, course_guid) DO UPDATE
       SET registration_id = excluded.registration_id,
           holds_seat = g.holds_seat OR excluded.holds_seat`,
      [
        id,
        realmId,
        license,
        local,
        reservedFor,
        made.map((each) => each.applicationId),
        made.map((each) => each.courseGuid),
        made.map((each) => each.learnerId),
        made.map((each) => userIds.get(each.learnerKey)),
      ],
    );
  }

  private async grant({ id }: LockedInvitation, granted: readonly Grant[]): Promise<void> {
    if (granted.length === 0) return;
    await this.database.query(
      `INSERT INTO invitation_registrations (
         invitation_id, learner_key, course_guid, registration_id, holds_seat
       )
       SELECT $1, g.* FROM unnest($2::text[], $3::text[], $4::integer[], $5::boolean[]) AS g
       ON CONFLICT (invitation_id, learner_key, course_guid) DO UPDATE
       SET registration_id = excluded.registration_id, holds_seat = excluded.holds_seat`,
      [
        id,
        granted.map((each) => each.learnerKey),
        granted.map((each) => each.courseGuid),
        granted.map((each) => each.registrationId),
        granted.map((each) => each.holdsSeat),
      ],
    );
  }

  /** The table refuses fewer than none. */
  private async countSeats(
    { id }: LockedInvitation,
    changes: ReadonlyMap<string, number>,
  ): Promise<void> {
    if (changes.size === 0) return;
    await this.database.query(
      `UPDATE invitation_seats AS s SET free = s.free + c.change
       FROM unnest($2::text[], $3::integer[]) AS c (course_guid, change)
       WHERE s.invitation_id = $1 AND s.course_guid = c.course_guid`,
      [id, [...changes.keys()], [...changes.values()]],
    );
  }
}
