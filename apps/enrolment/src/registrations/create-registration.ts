import { BusClient, type InputOf, Outbox } from '#libs/bus';
import {
  type CreatedRegistrationRecord,
  type createRegistration,
  ensureUser,
  Failure,
  findCourse,
  type ProviderRegistration,
  registrationCreated,
  toTimestamp,
} from '#libs/contracts';
import { CourseProviderDirectory, type NewRegistration } from '#libs/course-provider';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { AdoptRegistrations } from './adopt-registrations.ts';
import { type Claim, ClaimRegistration, type Wanted } from './claim-registration.ts';
import { ConfirmRegistration } from './confirm-registration.ts';
import { applicationsForCreate } from './create-reach.ts';
import { isRefusal, makeAtProvider } from './make-at-provider.ts';
import {
  createdRegistrationRecord,
  registrationColumns,
  type RegistrationRow,
} from './registration-record.ts';

/** The learner was found by the id that a create gives, which is the e-mail address. */
const withEmail = (found: ProviderRegistration, email: string): ProviderRegistration => ({
  ...found,
  learner: { ...found.learner, email },
});

/** Registration create (api-v2.md, Registration: create). */
@Injectable()
export class CreateRegistration {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly adoptRegistrations: AdoptRegistrations,
    private readonly claimRegistration: ClaimRegistration,
    private readonly confirmRegistration: ConfirmRegistration,
  ) {}

  async run(input: InputOf<typeof createRegistration>): Promise<CreatedRegistrationRecord> {
    const { scope, courseGuid, learnerId, dontDuplicate } = input;
    const applicationIds = applicationsForCreate(scope, input);
    const course = await this.bus.request(findCourse, { applicationIds, courseGuid });
    const { realmId } = scope;
    const { userId } = await this.bus.request(ensureUser, { realmId, email: learnerId });
    const { applicationId } = course;
    const wanted = { realmId, applicationId, courseGuid, learnerId, userId, dontDuplicate };

    if (dontDuplicate && input.checkHosted) await this.adoptHosted(wanted);
    const claim = await this.claimRegistration.run(wanted);
    if (claim.state !== 'ready') {
      const { firstName, lastName } = input;
      const learner = { id: learnerId, email: learnerId, firstName, lastName };
      await this.completeAtProvider(claim, { courseGuid, learner });
    }
    return createdRegistrationRecord(await this.read(claim), course.courseId);
  }

  /** Takes in what was registered at the provider, past this service. */
  private async adoptHosted({ realmId, applicationId, userId, courseGuid, learnerId }: Wanted) {
    const provider = await this.providers.forApplication(applicationId);
    const query = { crawlType: 'course', courseGuid, learnerId } as const;
    const hosted: ProviderRegistration[] = [];
    for await (const page of provider.listRegistrations(query)) {
      hosted.push(...page.map((found) => withEmail(found, learnerId)));
    }
    await this.database.transaction(async () => {
      const owner = { realmId, applicationId, userId };
      const adopted = await this.adoptRegistrations.run(owner, hosted);
      const at = toTimestamp(new Date());
      await this.outbox.publishAll(
        registrationCreated,
        adopted.map((registration) => ({ ...registration, applicationId, at })),
      );
    });
  }

  /**
   * Makes a claimed registration at the provider. When the answer is lost the claim stays: an
   * equal create takes it up again, or the background settles it.
   */
  private async completeAtProvider(
    claim: Claim,
    registration: Omit<NewRegistration, 'registrationGuid'>,
  ): Promise<void> {
    const provider = await this.providers.forApplication(claim.applicationId);
    const { registrationGuid, state } = claim;
    try {
      const begun = state === 'begun';
      await makeAtProvider(provider, { registrationGuid, ...registration }, { begun });
    } catch (error) {
      if (isRefusal(error)) await this.giveUp(claim);
      throw error;
    }
    await this.confirmRegistration.run(claim);
  }

  private async giveUp({ id, applicationId }: Claim): Promise<void> {
    await this.database.query(
      `UPDATE registrations SET provider_state = 'refused'
       WHERE id = $1 AND provider_application_id = $2 AND provider_state = 'pending'`,
      [id, applicationId],
    );
  }

  private async read({ id, applicationId }: Claim): Promise<RegistrationRow> {
    const [row] = await this.database.query<RegistrationRow>(
      `SELECT ${registrationColumns} FROM registrations AS r
       WHERE r.id = $1 AND r.provider_application_id = $2`,
      [id, applicationId],
    );
    if (!row) throw new Failure('unavailable', 'the registration was settled meanwhile');
    return row;
  }
}
