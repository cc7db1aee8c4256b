import { Failure } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { appLogger, type Logger, PeriodicTask } from '@registrar/platform';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';

/** The most registrations whose launches one round ends. */
const batchSize = 20;

const launchedRegistration = z.object({
  id: z.number(),
  applicationId: z.number(),
  registrationGuid: z.string(),
});
type LaunchedRegistration = z.infer<typeof launchedRegistration>;

/**
 * Ends the launches of registrations that became inactive, at their course provider
 * (contract/registrations#inactive-launches). An inactive registration gets no new launches.
 */
@Injectable()
export class EndLaunches {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** @returns whether there may be more to do at once; what failed is tried in the next round */
  @PeriodicTask({ name: 'end launches', everyMs: 5_000, timeoutMs: 30_000 })
  async endDue(): Promise<boolean> {
    const due = await this.findDue();
    const ended = await Promise.all(due.map((registration) => this.end(registration)));
    return due.length === batchSize && ended.includes(true);
  }

  /** In random order, so that a provider that fails does not keep back the others. */
  private findDue(): Promise<LaunchedRegistration[]> {
    return this.database.many(
      launchedRegistration,
      sql`SELECT id, provider_application_id AS "applicationId",
                 registration_guid AS "registrationGuid"
          FROM registrations
          WHERE NOT active AND deleted IS NULL AND launched_at > now() - interval '1 day'
            AND (launches_ended_at IS NULL OR launches_ended_at < launched_at)
          ORDER BY random() LIMIT ${batchSize}`,
    );
  }

  private async end(registration: LaunchedRegistration): Promise<boolean> {
    const { id, applicationId, registrationGuid } = registration;
    try {
      const provider = await this.providers.forApplication(applicationId);
      await provider.endLaunches(registrationGuid);
      await this.database.execute(
        sql`UPDATE registrations SET launches_ended_at = now()
            WHERE id = ${id} AND provider_application_id = ${applicationId} AND NOT active`,
      );
      return true;
    } catch (error) {
      this.logger.warn(
        {
          application: applicationId,
          registration: registrationGuid,
          reason: Failure.from(error).message,
        },
        'failed to end the launches of a registration; the next attempt is in a few seconds',
      );
      return false;
    }
  }
}
