import { type InputOf, Outbox } from '#libs/bus';
import {
  type AccessScope,
  Failure,
  type launchRegistration,
  registrationLaunched,
  toTimestamp,
} from '#libs/contracts';
import { CourseProviderDirectory, CourseProviderError } from '#libs/course-provider';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { InitialiseRegistrations } from './initialise-registrations.ts';
import { selectRegistrations } from './selection.ts';

/** Where the lifetime of launch links in seconds is found by injection. */
export const launchLinkExpiry = Symbol('launch link expiry');

/** A launch has no 403: what the provider refuses about it is the request's own fault. */
function asLaunchFailure(error: unknown): never {
  if (!(error instanceof CourseProviderError)) throw error;
  const { kind } = error.fault;
  if (kind === 'refused') throw new Failure('invalid', error.message);
  if (kind === 'unauthorized') throw new Failure('unavailable', error.message);
  throw error;
}

interface Launched {
  readonly id: number;
  readonly applicationId: number;
  readonly registrationGuid: string;
  readonly courseGuid: string;
  readonly providerState: 'ready' | 'waiting' | 'local';
}

/** Registration launch_url (api-v2.md, Registration: launch_url; decision 20). */
@Injectable()
export class LaunchRegistration {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly initialiseRegistrations: InitialiseRegistrations,
    @Inject(launchLinkExpiry) private readonly expirySeconds: number,
  ) {}

  async run(input: InputOf<typeof launchRegistration>): Promise<{ launch_url: string }> {
    const { scope, registrationGuid, review, redirectUrl } = input;
    const registration = await this.find(scope, registrationGuid);
    await this.initialise(registration);
    const provider = await this.providers.forApplication(registration.applicationId);
    const options = { expirySeconds: this.expirySeconds, redirectUrl, tracking: !review };
    const link = await provider.launchLink(registrationGuid, options).catch(asLaunchFailure);
    await this.noteLaunch(registration, review);
    return { launch_url: link };
  }

  private async find(scope: AccessScope, registrationGuid: string): Promise<Launched> {
    const selected = selectRegistrations(scope, { registrationGuid });
    const [registration] = await this.database.query<Omit<Launched, 'registrationGuid'>>(
      `SELECT r.id, r.provider_application_id AS "applicationId", r.course_guid AS "courseGuid",
              r.provider_state AS "providerState"
       FROM (${selected.sql}) AS r
       ORDER BY r.id LIMIT 1`,
      selected.parameters,
    );
    if (!registration) throw new Failure('not-found', 'no such registration for this access');
    return { ...registration, registrationGuid };
  }

  /** The provider opens only what it holds. */
  private async initialise({ id, providerState }: Launched): Promise<void> {
    if (providerState === 'local') {
      throw new Failure('not-found', 'the registration is never made at its provider');
    }
    if (providerState === 'ready') return;
    const [attempt] = await this.initialiseRegistrations.now([id]);
    if (attempt?.error) asLaunchFailure(attempt.error);
  }

  /** A review changes nothing at the provider, so nobody needs to hear of it. */
  private async noteLaunch(registration: Launched, review: boolean): Promise<void> {
    const { id, applicationId, registrationGuid, courseGuid } = registration;
    await this.database.transaction(async () => {
      const [launched] = await this.database.query(
        `UPDATE registrations SET launched_at = now(), updated_at = now()
         WHERE id = $1 AND provider_application_id = $2 AND active
         RETURNING id`,
        [id, applicationId],
      );
      // Its seat may have gone to somebody else meanwhile: the link is not given out.
      if (!launched) throw new Failure('not-found', 'the registration was made inactive');
      if (review) return;
      const at = toTimestamp(new Date());
      await this.outbox.publish(registrationLaunched, {
        registrationGuid,
        applicationId,
        courseGuid,
        at,
      });
    });
  }
}
