import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import { type LockedInvitation } from './invitation-repository.ts';
import { type Assignment, learnerKey, type NewRegistration, type Plan } from './plan-learners.ts';

/** How the registrations that a plan creates get to the provider. */
export interface ProvisioningOptions {
  /** By learner key. */
  readonly userIds: ReadonlyMap<string, number>;
  /** They are never created at the provider (contract/invitations#skip-external-initialization). */
  readonly skipProvider: boolean;
  /** Milliseconds for which background jobs leave them to the request. */
  readonly reservedMs: number;
}

/** Stores a plan: one statement for each kind of change, whatever the number of learners. */
@Injectable()
export class ApplyPlan {
  constructor(private readonly database: Database) {}

  async apply(
    invitation: LockedInvitation,
    plan: Plan,
    provisioning: ProvisioningOptions,
  ): Promise<void> {
    await this.setActive(invitation, plan.deactivated, false);
    await this.setActive(invitation, plan.activated, true);
    await this.removeLearners(invitation, plan.leaving);
    await this.releaseSeats(invitation, plan.released);
    await this.addLearners(invitation, plan.joining, provisioning);
    await this.createRegistrations(invitation, plan.created, provisioning);
    await this.assignRegistrations(invitation, plan.assigned);
    await this.changeSeats(invitation, plan.seatChanges);
    const { joining, leaving, created, assigned } = plan;
    if ([joining, leaving, created, assigned].every((changes) => changes.length === 0)) return;
    const { realmId, id } = invitation;
    await this.database.execute(
      sql`UPDATE invitations SET updated_at = now() WHERE realm_id = ${realmId} AND id = ${id}`,
    );
  }

  /** The registrations have been locked by {@link LoadInvitationState}. */
  private async setActive(
    { applicationIds }: LockedInvitation,
    ids: readonly number[],
    active: boolean,
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.database.execute(
      sql`UPDATE registrations SET active = ${active}, updated_at = now()
          WHERE provider_application_id = ANY(${applicationIds}) AND id = ANY(${ids})`,
    );
  }

  private async removeLearners({ id }: LockedInvitation, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.database.execute(
      sql`DELETE FROM invitation_learners
          WHERE invitation_id = ${id} AND lower(learner_id) = ANY(${keys})`,
    );
  }

  private async releaseSeats({ id }: LockedInvitation, released: Plan['released']): Promise<void> {
    if (released.length === 0) return;
    const learnerKeys = released.map((each) => each.learnerKey);
    const courseGuids = released.map((each) => each.courseGuid);
    await this.database.execute(
      sql`UPDATE invitation_registrations AS a SET holds_seat = false
          FROM unnest(${learnerKeys}::text[], ${courseGuids}::text[])
            AS r (learner_key, course_guid)
          WHERE a.invitation_id = ${id} AND a.learner_key = r.learner_key
            AND a.course_guid = r.course_guid`,
    );
  }

  private async addLearners(
    { id }: LockedInvitation,
    joining: Plan['joining'],
    { userIds }: ProvisioningOptions,
  ): Promise<void> {
    if (joining.length === 0) return;
    const joiningUserIds = joining.map((learnerId) => userIds.get(learnerKey(learnerId)));
    await this.database.execute(
      sql`INSERT INTO invitation_learners (invitation_id, learner_id, user_id)
          SELECT ${id}, l.learner_id, l.user_id
          FROM unnest(${joining}::text[], ${joiningUserIds}::bigint[])
            WITH ORDINALITY AS l (learner_id, user_id, place)
          ORDER BY l.place`,
    );
  }

  /** A registration that replaces a deleted one keeps the seat. */
  private async createRegistrations(
    { id, realmId, license }: LockedInvitation,
    created: readonly NewRegistration[],
    { userIds, skipProvider, reservedMs }: ProvisioningOptions,
  ): Promise<void> {
    if (created.length === 0) return;
    const applicationIds = created.map((each) => each.applicationId);
    const courseGuids = created.map((each) => each.courseGuid);
    const learnerIds = created.map((each) => each.learnerId);
    const learnerUserIds = created.map((each) => userIds.get(each.learnerKey));
    const providerState = skipProvider ? sql`'local'` : sql`'waiting'`;
    const initializeAfter = skipProvider ? sql`NULL` : sql`now() + ${reservedMs} * interval '1 ms'`;
    await this.database.execute(
      sql`WITH created AS (
            INSERT INTO registrations (
              realm_id, provider_application_id, registration_guid, course_guid, learner_id,
              user_id, provider_state, initialize_after
            )
            SELECT ${realmId}, n.provider_application_id, gen_random_uuid()::text, n.course_guid,
                   n.learner_id, n.user_id, ${providerState}, ${initializeAfter}
            FROM unnest(
                ${applicationIds}::bigint[], ${courseGuids}::text[], ${learnerIds}::text[],
                ${learnerUserIds}::bigint[]
              ) WITH ORDINALITY
              AS n (provider_application_id, course_guid, learner_id, user_id, place)
            ORDER BY n.place
            RETURNING id, lower(learner_id) AS learner_key, course_guid
          )
          INSERT INTO invitation_registrations AS a (
            invitation_id, learner_key, course_guid, registration_id, holds_seat
          )
          SELECT ${id}, learner_key, course_guid, id, ${license} FROM created
          ON CONFLICT (invitation_id, learner_key, course_guid) DO UPDATE
          SET registration_id = excluded.registration_id,
              holds_seat = a.holds_seat OR excluded.holds_seat`,
    );
  }

  private async assignRegistrations(
    { id }: LockedInvitation,
    assigned: readonly Assignment[],
  ): Promise<void> {
    if (assigned.length === 0) return;
    const learnerKeys = assigned.map((each) => each.learnerKey);
    const courseGuids = assigned.map((each) => each.courseGuid);
    const registrationIds = assigned.map((each) => each.registrationId);
    const holdsSeat = assigned.map((each) => each.holdsSeat);
    await this.database.execute(
      sql`INSERT INTO invitation_registrations (
            invitation_id, learner_key, course_guid, registration_id, holds_seat
          )
          SELECT ${id}, a.*
          FROM unnest(
              ${learnerKeys}::text[], ${courseGuids}::text[], ${registrationIds}::bigint[],
              ${holdsSeat}::boolean[]
            ) AS a
          ON CONFLICT (invitation_id, learner_key, course_guid) DO UPDATE
          SET registration_id = excluded.registration_id, holds_seat = excluded.holds_seat`,
    );
  }

  /** A CHECK of the table rejects a number below zero. */
  private async changeSeats({ id }: LockedInvitation, changes: Plan['seatChanges']): Promise<void> {
    if (changes.size === 0) return;
    await this.database.execute(
      sql`UPDATE invitation_seats AS s SET free = s.free + c.change
          FROM unnest(${[...changes.keys()]}::text[], ${[...changes.values()]}::integer[])
            AS c (course_guid, change)
          WHERE s.invitation_id = ${id} AND s.course_guid = c.course_guid`,
    );
  }
}
