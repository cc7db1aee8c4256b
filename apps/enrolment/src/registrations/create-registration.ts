import { BusClient, HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  createRegistration,
  type EmailAddress,
  ensureUser,
  Failure,
  findCourse,
  type RegistrationRecord,
  registrationRecord,
} from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { applicationsForCreate } from '../access-rules.ts';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { type Claim, ClaimRegistration, type RegistrationRequest } from './claim-registration.ts';
import { ConfirmRegistrations } from './confirm-registrations.ts';
import { CreateAtProvider, isRefusal } from './create-at-provider.ts';
import { recordProviderFault } from './record-provider-fault.ts';
import { registrationColumns, toCreatedRegistrationRecord } from './registration-record.ts';

type Reply = ReplyOf<typeof createRegistration>;
type WantedRegistration = Omit<RegistrationRequest, 'applicationId' | 'isCourseFound'>;

/** How many users are remembered, and for how long: milliseconds. */
const maxUsers = 10_000;
const rememberedMs = 600_000;

/**
 * Registration create (contract/registrations#create).
 *
 * A new registration's course is found in the copy of the catalog's courses, which may be late: the provider
 * refuses a course that was deleted meanwhile. Everything else is for the catalog to tell: that there is no
 * such course, which of several applications holds it, and whether the course of an existing registration
 * is still there. So a client reads what it has written.
 */
@Controller()
export class CreateRegistration {
  /**
   * The ids of learners' users by realm and address. Nothing invalidates them: a user of a realm is never
   * removed, and keeps its id. The time is for a database of identity that is restored to an earlier state.
   */
  readonly #userIds = new LRUCache<string, number>({ max: maxUsers, ttl: rememberedMs });

  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly adoptRegistrations: AdoptRegistrations,
    private readonly claimRegistration: ClaimRegistration,
    private readonly atProvider: CreateAtProvider,
    private readonly confirmRegistrations: ConfirmRegistrations,
  ) {}

  @HandleRequest(createRegistration)
  async create(input: InputOf<typeof createRegistration>): Promise<Reply> {
    const { scope, courseGuid, learnerId, dontDuplicate } = input;
    const applicationIds = applicationsForCreate(scope, input);
    const userId = await this.userIdOf(scope, learnerId);
    const isByLearner = scope.user !== null;
    const { realmId } = scope;
    const wanted = { realmId, courseGuid, learnerId, userId, isByLearner, dontDuplicate };
    const viaCopy = await this.createForCopiedCourse(input, wanted, applicationIds);
    return viaCopy ?? this.createForFoundCourse(input, wanted, applicationIds);
  }

  /** Has identity find or create the user of a learner: the scope's own user, if it has one. */
  private async userIdOf({ realmId, user }: AccessScope, learnerId: EmailAddress): Promise<number> {
    if (user) return user.id;
    const key = `${realmId} ${learnerId.toLowerCase()}`;
    const known = this.#userIds.get(key);
    if (known !== undefined) return known;
    const { userId } = await this.bus.request(ensureUser, { realmId, email: learnerId });
    this.#userIds.set(key, userId);
    return userId;
  }

  /** Returns null where the copy of the catalog's courses cannot tell that the course exists. */
  private async createForCopiedCourse(
    input: InputOf<typeof createRegistration>,
    wanted: WantedRegistration,
    applicationIds: readonly number[],
  ): Promise<Reply | null> {
    const [applicationId, ...others] = applicationIds;
    if (applicationId === undefined || others.length > 0 || input.checkHosted) return null;
    const request = { ...wanted, applicationId, isCourseFound: false };
    const claim = await this.claimRegistration.claim(request);
    if (!claim) return null;
    const findInCatalog = () => this.findCourse([applicationId], wanted);
    const found = claim.state === 'new' ? null : await findInCatalog();
    const row = await this.complete(claim, input).catch(async (error: unknown) => {
      if (isRefusal(error)) await findInCatalog();
      throw error;
    });
    return toReply(claim, row, found?.courseId ?? row.hosted_course_id);
  }

  private async createForFoundCourse(
    input: InputOf<typeof createRegistration>,
    wanted: WantedRegistration,
    applicationIds: readonly number[],
  ): Promise<Reply> {
    const { applicationId, courseId } = await this.findCourse(applicationIds, wanted);
    const request = { ...wanted, applicationId, isCourseFound: true };
    if (wanted.dontDuplicate && input.checkHosted) await this.adoptRegistrations.adopt(request);
    const claim = await this.claimRegistration.claim(request);
    if (!claim) throw new Error('a course that was found is missing');
    return toReply(claim, await this.complete(claim, input), courseId);
  }

  /** @throws {Failure} `not-found` when none of the applications holds the course, or several do */
  private findCourse(
    applicationIds: readonly number[],
    { courseGuid }: WantedRegistration,
  ): Promise<ReplyOf<typeof findCourse>> {
    return this.bus.request(findCourse, { applicationIds: [...applicationIds], courseGuid });
  }

  /**
   * Returns a claimed registration, created at the provider unless it is ready. When the provider's
   * response is lost, the row stays pending until an identical create resumes it or reconciliation takes it.
   */
  private async complete(
    claim: Claim,
    { courseGuid, learnerId, firstName, lastName }: InputOf<typeof createRegistration>,
  ): Promise<RegistrationRecord> {
    const { applicationId, registrationGuid, state } = claim;
    if (state === 'ready') return this.find(claim);
    const learner = { id: learnerId, email: learnerId, firstName, lastName };
    try {
      const wanted = { registrationGuid, courseGuid, learner };
      await this.atProvider.create(applicationId, wanted, { mayExist: state === 'resumed' });
    } catch (error) {
      if (isRefusal(error)) await this.markRefused(claim);
      await recordProviderFault(this.database, claim, error);
      throw error;
    }
    const [confirmed] = await this.confirmRegistrations.confirm(claim);
    return confirmed ?? this.find(claim);
  }

  private async markRefused({ id, applicationId }: Claim): Promise<void> {
    await this.database.execute(
      sql`UPDATE registrations SET provider_state = 'refused'
          WHERE id = ${id} AND provider_application_id = ${applicationId}
            AND provider_state = 'pending'`,
    );
  }

  private async find({ id, applicationId }: Claim): Promise<RegistrationRecord> {
    const row = await this.database.maybeOne(
      registrationRecord,
      sql`SELECT ${registrationColumns} FROM registrations AS r
          WHERE r.id = ${id} AND r.provider_application_id = ${applicationId}`,
    );
    if (!row) throw new Failure('unavailable', 'reconciliation removed the registration meanwhile');
    return row;
  }
}

function toReply({ isDuplicate }: Claim, row: RegistrationRecord, courseId: number | null): Reply {
  const record = toCreatedRegistrationRecord(row, courseId);
  return isDuplicate ? { ...record, is_duplicate: true } : record;
}
