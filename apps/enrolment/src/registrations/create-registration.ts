import { clock } from '@registrar/platform';
import { BusClient, HandleRequest, type InputOf, Outbox } from '@registrar/bus';
import {
  type CreatedRegistrationRecord,
  createRegistration,
  ensureUser,
  Failure,
  findCourse,
  type ProviderRegistration,
  registrationCreated,
  toTimestamp,
} from '@registrar/contracts';
import { CourseProviderDirectory, type NewRegistration } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { applicationsForCreate } from '../access-rules.ts';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { type Claim, ClaimRegistration, type RegistrationRequest } from './claim-registration.ts';
import { ConfirmRegistrations } from './confirm-registrations.ts';
import { ensureAtProvider, isRefusal } from './ensure-at-provider.ts';
import { PostbackTargets } from './postback-targets.ts';
import { RecordProviderFault } from './record-provider-fault.ts';
import {
  registrationColumns,
  registrationRow,
  type RegistrationRow,
  toCreatedRegistrationRecord,
} from './registration-record.ts';

/** The provider found the learner by the id of a create, which is the e-mail address. */
const withEmail = (found: ProviderRegistration, email: string): ProviderRegistration => ({
  ...found,
  learner: { ...found.learner, email },
});

/** Registration create (contract/registrations#create). */
@Controller()
export class CreateRegistration {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly postbackTargets: PostbackTargets,
    private readonly adoptRegistrations: AdoptRegistrations,
    private readonly claimRegistration: ClaimRegistration,
    private readonly confirmRegistrations: ConfirmRegistrations,
    private readonly recordProviderFault: RecordProviderFault,
  ) {}

  @HandleRequest(createRegistration)
  async create(input: InputOf<typeof createRegistration>): Promise<CreatedRegistrationRecord> {
    const { scope, courseGuid, learnerId, dontDuplicate } = input;
    const applicationIds = applicationsForCreate(scope, input);
    const { realmId } = scope;
    const [course, { userId }] = await Promise.all([
      this.bus.request(findCourse, { applicationIds, courseGuid }),
      this.bus.request(ensureUser, { realmId, email: learnerId }),
    ]);
    const { applicationId } = course;
    const isByLearner = scope.user !== null;
    const learner = { learnerId, userId, isByLearner };
    const request = { realmId, applicationId, courseGuid, ...learner, dontDuplicate };

    if (dontDuplicate && input.checkHosted) await this.adoptHosted(request);
    const claim = await this.claimRegistration.claim(request);
    const { firstName, lastName } = input;
    const row =
      claim.state === 'ready'
        ? await this.find(claim)
        : await this.createAtProvider(claim, {
            courseGuid,
            learner: { id: learnerId, email: learnerId, firstName, lastName },
          });
    return toCreatedRegistrationRecord(row, course.courseId);
  }

  /**
   * Adopts registrations of this learner and course that were created at the provider by other
   * means than this service (contract/registrations#check-hosted).
   */
  private async adoptHosted(request: RegistrationRequest): Promise<void> {
    const { realmId, applicationId, userId, courseGuid, learnerId } = request;
    const provider = await this.providers.forApplication(applicationId);
    const query = { crawlType: 'course', courseGuid, learnerId } as const;
    const hosted: ProviderRegistration[] = [];
    for await (const page of provider.listRegistrations(query)) {
      hosted.push(...page.map((found) => withEmail(found, learnerId)));
    }
    await this.database.transaction(async () => {
      const owner = { realmId, applicationId, userId };
      const adopted = await this.adoptRegistrations.adopt(owner, hosted);
      const at = toTimestamp(clock.date());
      await this.outbox.publishAll(
        registrationCreated,
        adopted.map((registration) => ({ ...registration, applicationId, at })),
      );
    });
  }

  /**
   * Creates a claimed registration at the provider. When the provider's response is lost, the row
   * stays pending until an identical create resumes it or reconciliation takes it.
   */
  private async createAtProvider(
    claim: Claim,
    registration: Pick<NewRegistration, 'courseGuid' | 'learner'>,
  ): Promise<RegistrationRow> {
    const { applicationId, registrationGuid, state } = claim;
    const provider = await this.providers.forApplication(applicationId);
    const target = await this.postbackTargets.forApplication(applicationId);
    try {
      const mayExist = state === 'resumed';
      const wanted = { registrationGuid, ...registration, ...target };
      await ensureAtProvider(provider, wanted, { mayExist });
    } catch (error) {
      if (isRefusal(error)) await this.markRefused(claim);
      await this.recordProviderFault.record(claim, error);
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

  private async find({ id, applicationId }: Claim): Promise<RegistrationRow> {
    const row = await this.database.maybeOne(
      registrationRow,
      sql`SELECT ${registrationColumns} FROM registrations AS r
          WHERE r.id = ${id} AND r.provider_application_id = ${applicationId}`,
    );
    if (!row) throw new Failure('unavailable', 'reconciliation removed the registration meanwhile');
    return row;
  }
}
