import { clock } from '@registrar/platform';
import { HandleRequest, type InputOf, Outbox, type PayloadOf } from '@registrar/bus';
import {
  type AccessScope,
  Failure,
  launchRegistration,
  registrationLaunched,
  toTimestamp,
} from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { InitializeRegistrations } from './initialize-registrations.ts';
import { recordProviderFault } from './record-provider-fault.ts';
import { throwProviderFailure } from './provider-failure.ts';
import { selectRegistrations } from './select-registrations.ts';

/**
 * The lifetime of launch links (contract/registrations#launch-expiry): time enough for a browser that follows the
 * link at once over a slow connection, and too little for a link that is found later in a log or a history.
 */
export const launchLinkExpirySeconds = 120;

const launchableRow = z.object({
  id: z.number(),
  applicationId: z.number(),
  courseGuid: z.string(),
  providerState: z.enum(['ready', 'waiting', 'local']),
});
type LaunchableRegistration = z.infer<typeof launchableRow> & { registrationGuid: string };

/** Registration launch_url (contract/registrations#launch). */
@Controller()
export class LaunchRegistration {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly initializeRegistrations: InitializeRegistrations,
  ) {}

  @HandleRequest(launchRegistration)
  async launch(input: InputOf<typeof launchRegistration>): Promise<{ launch_url: string }> {
    const { scope, registrationGuid, review, redirectUrl } = input;
    const registration = await this.find(scope, registrationGuid);
    await this.initialize(registration);
    const provider = await this.providers.forApplication(registration.applicationId);
    const options = {
      expirySeconds: launchLinkExpirySeconds,
      redirectUrl,
      tracking: !review,
    };
    const link = await provider
      .createLaunchLink(registrationGuid, options)
      .catch(async (error: unknown) => {
        await recordProviderFault(this.database, registration, error);
        return throwProviderFailure(error);
      });
    await this.recordLaunch(registration, review);
    return { launch_url: link };
  }

  private async find(
    scope: AccessScope,
    registrationGuid: string,
  ): Promise<LaunchableRegistration> {
    const row = await this.database.maybeOne(
      launchableRow,
      sql`SELECT r.id, r.provider_application_id AS "applicationId",
                 r.course_guid AS "courseGuid", r.provider_state AS "providerState"
          FROM (${selectRegistrations(scope, { registrationGuid })}) AS r
          ORDER BY r.id LIMIT 1`,
    );
    if (!row) throw new Failure('not-found', 'no such registration for this access');
    return { ...row, registrationGuid };
  }

  /** Creates the registration at the provider if it is still queued, because links require it. */
  private async initialize(registration: LaunchableRegistration): Promise<void> {
    const { providerState } = registration;
    if (providerState === 'local') {
      throw new Failure('not-found', 'the registration is never created at its provider');
    }
    if (providerState === 'ready') return;
    const [attempt] = await this.initializeRegistrations.initialize([registration]);
    if (attempt?.error) throwProviderFailure(attempt.error);
  }

  /**
   * Stores the time of the launch (contract/registrations#launch-stamp) and publishes it, except
   * for a review, which changes nothing at the provider.
   */
  private async recordLaunch(registration: LaunchableRegistration, review: boolean): Promise<void> {
    const { id, applicationId, registrationGuid, courseGuid } = registration;
    // Without a digest, the next crawl reports whether the launch is open even if nothing else changed.
    const update = sql`
      UPDATE registrations
      SET launched_at = now(), launch_open = NULL, result_digest = NULL, updated_at = now()
      WHERE id = ${id} AND provider_application_id = ${applicationId} AND active AND deleted IS NULL`;
    const at = toTimestamp(clock.date());
    const event: PayloadOf<typeof registrationLaunched> = {
      registrationGuid,
      applicationId,
      courseGuid,
      at,
    };
    const payload = sql`SELECT ${JSON.stringify(event)}::jsonb AS payload FROM launched`;
    const updated = await (review
      ? this.database.execute(update)
      : this.outbox.publishWith(registrationLaunched, payload, (events) =>
          this.database.execute(
            sql`WITH launched AS (${update} RETURNING id), events AS (${events}) SELECT FROM launched`,
          ),
        ));
    // Its seat may belong to another learner by now, so the link is not returned.
    if (updated === 0) throw new Failure('not-found', 'the registration was removed meanwhile');
  }
}
