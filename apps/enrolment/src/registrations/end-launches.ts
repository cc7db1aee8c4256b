import { Failure } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { appLogger, logFailedWork, type Logger, PeriodicTask } from '@registrar/platform';
import { Database, type Sql, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { dueByApplication, limitPerApplication } from './due-by-application.ts';

/** Conditions on `registrations`: why launches are ended. */
const causes = {
  inactive: sql`NOT active`,
  // `realms` has no column of this name, so it is that of the registration.
  disabledRealm: sql`realm_id IN (
      SELECT id FROM realms WHERE launches_end_before > now() - interval '1 day'
    ) AND launched_at < (SELECT launches_end_before FROM realms WHERE id = realm_id)`,
};

const hasLaunchesToEnd = (cause: Sql): Sql => sql`
  ${cause} AND deleted IS NULL AND launched_at > now() - interval '1 day'
  AND (launches_ended_at IS NULL OR launches_ended_at < launched_at)`;

const isDue = (cause: Sql): Sql => sql`
  ${hasLaunchesToEnd(cause)} AND (end_launches_after IS NULL OR end_launches_after <= now())`;

/** No other attempt is under way, or failed less than a minute ago. */
const isServed = (cause: Sql): Sql => sql`NOT EXISTS (
  SELECT FROM registrations AS tried
  WHERE tried.provider_application_id = a.provider_application_id AND ${hasLaunchesToEnd(cause)}
    AND end_launches_after > now()
)`;

const launchedRegistration = z.object({
  id: z.number(),
  applicationId: z.number(),
  registrationGuid: z.string(),
  claimedAt: z.date(),
});
type LaunchedRegistration = z.infer<typeof launchedRegistration>;

/**
 * Ends the launches of registrations that became inactive, and of realms that were disabled, at
 * their course provider (contract/registrations#inactive-launches, contract/access#disabled-realm).
 * Neither gets new launches.
 */
@Injectable()
export class EndLaunches {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** @returns whether there may be more to do at once; an application that failed has a minute */
  @PeriodicTask({ name: 'end launches', everyMs: 5_000, restMs: 20_000, timeoutMs: 30_000 })
  async endDue(): Promise<boolean> {
    const due = [
      ...(await this.claimDue(causes.inactive)),
      ...(await this.claimDue(causes.disabledRealm)),
    ];
    const ended = await Promise.all(due.map((registration) => this.end(registration)));
    return due.length >= limitPerApplication && ended.includes(true);
  }

  private claimDue(cause: Sql): Promise<LaunchedRegistration[]> {
    return this.database.many(
      launchedRegistration,
      sql`UPDATE registrations AS r SET end_launches_after = now() + interval '1 minute'
          WHERE r.id = ANY (${dueByApplication(isDue(cause), sql`end_launches_after`, isServed(cause))})
          RETURNING r.id, r.provider_application_id AS "applicationId",
                    r.registration_guid AS "registrationGuid", now() AS "claimedAt"`,
    );
  }

  private async end(registration: LaunchedRegistration): Promise<boolean> {
    const { id, applicationId, registrationGuid, claimedAt } = registration;
    try {
      const provider = await this.providers.forApplication(applicationId);
      await provider.endLaunches(registrationGuid);
      await this.database.execute(
        sql`UPDATE registrations SET launches_ended_at = ${claimedAt}, end_launches_after = NULL
            WHERE id = ${id} AND provider_application_id = ${applicationId}`,
      );
      return true;
    } catch (error) {
      logFailedWork(
        this.logger,
        error,
        {
          application: applicationId,
          registration: registrationGuid,
          reason: Failure.from(error).message,
        },
        'failed to end the launches of a registration; the next attempt is in a minute',
      );
      return false;
    }
  }
}
