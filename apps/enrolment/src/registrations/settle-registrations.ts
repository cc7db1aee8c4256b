import { Failure } from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { appLogger, type Logger } from '#libs/platform';
import { Database } from '#libs/persistence';
import { Inject, Injectable } from '@nestjs/common';
import { ConfirmRegistration } from './confirm-registration.ts';

/** How many registrations one pass settles at most. */
const batchSize = 20;

/** A registration whose create ended without an answer of the provider, or was cut short. */
interface Unsettled {
  readonly id: number;
  readonly applicationId: number;
  readonly registrationGuid: string;
  /** Marks this pass's claim on the row: a create that takes it up again moves it on. */
  readonly settleAfter: Date;
}

/**
 * Settles what creates have left behind, once none can be at work on it any more. The client was
 * told of no success; what the provider holds all the same is shown, the rest is removed.
 */
@Injectable()
export class SettleRegistrations {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
    private readonly confirmRegistration: ConfirmRegistration,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** @returns how many were found to settle; those that failed are tried again a minute later */
  async run(): Promise<number> {
    const unsettled = await this.claim();
    await Promise.all(unsettled.map((registration) => this.settle(registration)));
    return unsettled.length;
  }

  private claim(): Promise<Unsettled[]> {
    // Whole milliseconds, so that the value survives its way through a Date.
    return this.database.query<Unsettled>(
      `UPDATE registrations AS r
       SET settle_after = date_trunc('milliseconds', now()) + interval '1 minute'
       FROM (
         SELECT id FROM registrations
         WHERE provider_state <> 'ready' AND settle_after < now()
         ORDER BY settle_after
         LIMIT ${batchSize}
         FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE r.id = due.id
       RETURNING r.id, r.provider_application_id AS "applicationId",
                 r.registration_guid AS "registrationGuid", r.settle_after AS "settleAfter"`,
    );
  }

  private async settle(registration: Unsettled): Promise<void> {
    const { applicationId, registrationGuid } = registration;
    try {
      const provider = await this.providers.forApplication(applicationId);
      const held = await provider.registrationExists(registrationGuid);
      if (held) await this.confirmRegistration.run(registration);
      else await this.remove(registration);
      this.logger.info(
        { application: applicationId, registration: registrationGuid, held },
        'settled a registration whose create had no end',
      );
    } catch (error) {
      this.logger.warn(
        {
          application: applicationId,
          registration: registrationGuid,
          reason: Failure.from(error).message,
        },
        'cannot settle a registration yet',
      );
    }
  }

  private async remove({ id, applicationId, settleAfter }: Unsettled): Promise<void> {
    await this.database.query(
      `DELETE FROM registrations
       WHERE id = $1 AND provider_application_id = $2
         AND provider_state <> 'ready' AND settle_after = $3`,
      [id, applicationId, settleAfter],
    );
  }
}
