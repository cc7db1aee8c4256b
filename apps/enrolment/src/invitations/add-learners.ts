import { BusClient, type InputOf, type ReplyOf } from '#libs/bus';
import { type addLearners, type EmailAddress, ensureUsers, Failure } from '#libs/contracts';
import { CourseProviderError } from '#libs/course-provider';
import { remainingTime } from '#libs/platform';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { InitialiseRegistrations } from '../registrations/initialise-registrations.ts';
import { CarryOutPlan } from './carry-out-plan.ts';
import { closedFeedback, delayFeedback, planFeedback } from './feedback.ts';
import { InvitationBooks } from './invitation-books.ts';
import { distinctLearners, learnerKey, planLearners } from './plan-learners.ts';
import { ReadGrants } from './read-grants.ts';
import { type LockedInvitation, ReadStanding } from './read-standing.ts';
import { requireRealm } from './realm-only.ts';

type Input = InputOf<typeof addLearners>;

/** What identity takes in one request (libs/contracts, ensureUsers). */
const usersAtOnce = 500;

/** How many registrations one call may be about: its answer must fit into a message. */
const registrationsAtOnce = 60_000;

/** How long the background leaves registrations to a call without a deadline: milliseconds. */
const longestReservation = 120_000;

/** Invitation add_learners (api-v2.md; decisions 24 and 25). */
@Injectable()
export class AddLearners {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly books: InvitationBooks,
    private readonly readStanding: ReadStanding,
    private readonly carryOutPlan: CarryOutPlan,
    private readonly readGrants: ReadGrants,
    private readonly initialiseRegistrations: InitialiseRegistrations,
  ) {}

  async run(input: Input): Promise<ReplyOf<typeof addLearners>> {
    const { scope, learners } = input;
    requireRealm(scope);
    const invitation = await this.find(scope.realmId, { name: input.name });
    const closed = closedFeedback(invitation);
    const messages = closed ? [closed] : await this.changeOpen(input, invitation);
    return {
      record: await this.books.read(scope, invitation.id),
      registrationGuids: await this.readGrants.byLearner(invitation, learners),
      messages,
    };
  }

  private async changeOpen(input: Input, invitation: LockedInvitation): Promise<string[]> {
    const { learners, nodelay, skipExternalInitialization } = input;
    const userIds = await this.ensureUsers(invitation.realmId, learners);
    const messages = await this.database.transaction(() =>
      this.change(input, invitation.id, userIds),
    );
    if (!nodelay || skipExternalInitialization) return messages;
    return [...messages, ...(await this.initialise(invitation, learners))];
  }

  /** By its id, it is locked too. */
  private async find(
    realmId: number,
    by: { readonly name: string } | { readonly id: number },
  ): Promise<LockedInvitation> {
    const [condition, value] = 'id' in by ? ['id = $2 FOR UPDATE', by.id] : ['name = $2', by.name];
    const [invitation] = await this.database.query<LockedInvitation>(
      `SELECT id, realm_id AS "realmId", name, enabled, license,
              avoid_duplicate_registrations AS "avoidsDuplicates",
              no_updates_allowed AS "noUpdatesAllowed"
       FROM invitations WHERE realm_id = $1 AND ${condition}`,
      [realmId, value],
    );
    if (!invitation) throw new Failure('not-found', 'no such invitation in this realm');
    return invitation;
  }

  /** Learners need not exist as users before (api-v2.md, Realm user record). */
  private async ensureUsers(
    realmId: number,
    learners: readonly EmailAddress[],
  ): Promise<Map<string, number>> {
    const distinct = [...distinctLearners(learners).values()];
    const userIds = new Map<string, number>();
    for (let at = 0; at < distinct.length; at += usersAtOnce) {
      const emails = distinct.slice(at, at + usersAtOnce);
      const { users } = await this.bus.request(ensureUsers, { realmId, emails });
      for (const user of users) userIds.set(learnerKey(user.email), user.userId);
    }
    return userIds;
  }

  /** @returns what people should know of it */
  private async change(
    input: Input,
    id: number,
    userIds: ReadonlyMap<string, number>,
  ): Promise<string[]> {
    const { learners, unlearners, skipExternalInitialization: local } = input;
    const invitation = await this.find(input.scope.realmId, { id });
    const closed = closedFeedback(invitation);
    if (closed) return [closed];
    const keys = [...learners, ...unlearners].map(learnerKey);
    const standing = await this.readStanding.run(invitation, [...new Set(keys)]);
    if (learners.length * standing.courses.length > registrationsAtOnce) {
      throw new Failure('invalid', `more than ${registrationsAtOnce} registrations in one call`);
    }
    const plan = planLearners({ learners, unlearners }, standing);
    const reservedFor = input.nodelay ? Math.min(remainingTime(), longestReservation) : 0;
    await this.carryOutPlan.run(invitation, plan, standing.seats, { userIds, local, reservedFor });
    return [...planFeedback(plan, standing)];
  }

  /** Makes what waits of these learners at the provider, as far as there is time. */
  private async initialise(
    invitation: LockedInvitation,
    learners: readonly EmailAddress[],
  ): Promise<string[]> {
    const waiting = await this.readGrants.waiting(invitation, learners);
    const attempts = await this.initialiseRegistrations.now(waiting);
    const left = waiting.length - attempts.filter((attempt) => !attempt.error).length;
    if (left === 0) return [];
    const error = attempts.find((attempt) => attempt.error)?.error;
    const reason = error instanceof CourseProviderError ? error.fault.providerMessage : null;
    return [delayFeedback(left, reason)];
  }
}
