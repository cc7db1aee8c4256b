import { BusClient, HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  addLearners,
  type EmailAddress,
  ensureUsers,
  Failure,
  isBright,
} from '@registrar/contracts';
import { CourseProviderError } from '@registrar/course-provider';
import { remainingTimeMs } from '@registrar/platform';
import { Database } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { requireRealmAccess } from '../access-rules.ts';
import { publishAct } from '../publish-act.ts';
import { InitializeRegistrations } from '../registrations/initialize-registrations.ts';
import { ApplyPlan } from './apply-plan.ts';
import { byLearner, FindAssignments, type InvitationKey } from './find-assignments.ts';
import { type Invitation, InvitationRepository } from './invitation-repository.ts';
import { LoadInvitationState } from './load-invitation-state.ts';
import { absentMessages, closedMessage, memberMessages, planMessages } from './messages.ts';
import { distinctLearners, learnerKey, type Plan, planLearners } from './plan-learners.ts';

type Input = InputOf<typeof addLearners>;

/** The limit of identity's ensureUsers (libs/contracts). */
const maxUsersPerRequest = 500;

/** The reply must fit into a message of the bus (contract/invitations#add-limit). */
const maxRegistrations = 60_000;

/** How long background jobs leave registrations to a request without a deadline. */
const maxReservedMs = 120_000;

/** Invitation add_learners (contract/invitations#add-learners). */
@Controller()
export class AddLearners {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly invitations: InvitationRepository,
    private readonly loadInvitationState: LoadInvitationState,
    private readonly applyPlan: ApplyPlan,
    private readonly findAssignments: FindAssignments,
    private readonly initializeRegistrations: InitializeRegistrations,
  ) {}

  @HandleRequest(addLearners)
  async add(input: Input): Promise<ReplyOf<typeof addLearners>> {
    const { scope, name, learners } = input;
    requireRealmAccess(scope);
    const invitation = await this.invitations.find(scope, { by: 'name', name });
    const closed = closedMessage(invitation);
    const { messages, reason } =
      closed === null
        ? await this.changeOpen(input, invitation)
        : { messages: [closed], reason: null };
    const assigned = await this.findAssignments.assigned({ id: invitation.id, scope }, learners);
    // contract/invitations#nodelay
    const isNamed = (providerState: string) => !isSynchronous(input) || providerState === 'ready';
    const [named, absent] = [true, false].map((wanted) =>
      assigned.filter(({ providerState }) => isNamed(providerState) === wanted),
    );
    return {
      record: await this.invitations.record(scope, invitation.id),
      registrationGuids: byLearner(learners, named ?? []),
      messages: [...messages, ...absentMessages(absent ?? [], reason)],
    };
  }

  /** Returns the messages about the changes, and the provider's error message, if there is one. */
  private async changeOpen(
    input: Input,
    invitation: Invitation,
  ): Promise<{ messages: string[]; reason: string | null }> {
    const { scope, learners } = input;
    const userIds = await this.ensureUsers(invitation.realmId, learners);
    const messages = await this.database.transaction(() =>
      this.change(input, invitation.id, userIds),
    );
    if (!isSynchronous(input)) return { messages, reason: null };
    return { messages, reason: await this.initialize({ id: invitation.id, scope }, learners) };
  }

  /** Creates users of unknown learners (contract/realm-users#implicit-creation). */
  private async ensureUsers(
    realmId: number,
    learners: readonly EmailAddress[],
  ): Promise<Map<string, number>> {
    const distinct = [...distinctLearners(learners).values()];
    const userIds = new Map<string, number>();
    for (let start = 0; start < distinct.length; start += maxUsersPerRequest) {
      const emails = distinct.slice(start, start + maxUsersPerRequest);
      const { users } = await this.bus.request(ensureUsers, { realmId, emails });
      for (const user of users) userIds.set(learnerKey(user.email), user.userId);
    }
    return userIds;
  }

  /** Plans and stores the changes while the invitation is locked. Returns messages about them. */
  private async change(
    input: Input,
    id: number,
    userIds: ReadonlyMap<string, number>,
  ): Promise<string[]> {
    const { scope, learners, unlearners, nodelay, skipExternalInitialization } = input;
    const invitation = await this.invitations.lock(scope, { by: 'id', id });
    const closed = closedMessage(invitation);
    if (closed !== null) return [closed];
    const keys = new Set([...learners, ...unlearners].map(learnerKey));
    const state = await this.loadInvitationState.load(invitation, [...keys]);
    if (learners.length * state.courses.length > maxRegistrations) {
      throw new Failure(
        'invalid',
        `the request is about more than ${maxRegistrations} registrations`,
      );
    }
    const plan = planLearners({ learners, unlearners }, state);
    await this.applyPlan.apply(invitation, plan, {
      userIds,
      skipProvider: skipExternalInitialization,
      reservedMs: nodelay ? Math.min(remainingTimeMs(), maxReservedMs) : 0,
    });
    await this.publishAct(input, id, plan);
    const messages = [...planMessages(plan, state, invitation.name)];
    if (isBright(scope)) messages.push(...memberMessages(learners, plan, state, invitation.name));
    return messages;
  }

  /** One act for all learners of the request; none if nothing changed. */
  private async publishAct({ scope }: Input, id: number, plan: Plan): Promise<void> {
    const { joining, leaving, created } = plan;
    if ([joining, leaving, created].every((changes) => changes.length === 0)) return;
    await publishAct(this.outbox, scope, 'learners.changed', {
      invitation_id: id,
      learners_added: joining.length,
      learners_removed: leaving.length,
      registrations_created: created.length,
    });
  }

  /**
   * Creates the learners' queued registrations at the provider, as many as the deadline permits.
   * Returns the provider's error message, if there is one.
   */
  private async initialize(
    invitation: InvitationKey,
    learners: readonly EmailAddress[],
  ): Promise<string | null> {
    const registrations = await this.findAssignments.queuedRegistrations(invitation, learners);
    const attempts = await this.initializeRegistrations.initialize(registrations);
    const error = attempts.find((attempt) => attempt.error)?.error;
    return error instanceof CourseProviderError ? error.fault.providerMessage : null;
  }
}

/** Whether the registrations are created at the provider before the reply. */
const isSynchronous = ({ nodelay, skipExternalInitialization }: Input): boolean =>
  nodelay && !skipExternalInitialization;
