import { Failure } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { appLogger, logFailedWork, type Logger, PeriodicTask } from '@registrar/platform';
import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { ConfirmRegistrations } from './confirm-registrations.ts';
import { isOfEnabledRealm } from './enabled-realms.ts';

/** The most registrations that one batch reconciles. */
const batchSize = 20;

/** A registration whose create was interrupted, or got no response from the provider. */
const pendingRegistration = z.object({
  id: z.number(),
  applicationId: z.number(),
  registrationGuid: z.string(),
  /** Identifies this claim: a create that resumes the registration changes it. */
  settleAfter: z.date(),
});
type PendingRegistration = z.infer<typeof pendingRegistration>;

/**
 * Reconciles pending registrations with the provider once no create can be at work on them any
 * more. No client got a success response for them: those that the provider holds are confirmed, the
 * others are deleted (docs/decisions/0003-pending-registrations.md).
 */
@Injectable()
export class ReconcilePendingRegistrations {
  constructor(
    private readonly database: Database,
    private readonly providers: CourseProviderDirectory,
    private readonly confirmRegistrations: ConfirmRegistrations,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Reconciles a batch and returns its size. Failed ones become due again after a minute. */
  @PeriodicTask({
    name: 'reconcile pending registrations',
    everyMs: 5_000,
    restMs: 20_000,
    timeoutMs: 30_000,
  })
  async reconcileDue(): Promise<number> {
    const pending = await this.claimDue();
    await Promise.all(pending.map((registration) => this.reconcile(registration)));
    return pending.length;
  }

  private claimDue(): Promise<PendingRegistration[]> {
    // Whole milliseconds, because `Date` cannot represent a smaller unit. An array is computed
    // once; a joined subquery may be computed, and claim a batch, for each row.
    return this.database.many(
      pendingRegistration,
      sql`UPDATE registrations
          SET settle_after = date_trunc('milliseconds', now()) + interval '1 minute'
          WHERE id = ANY (ARRAY(
            SELECT id FROM registrations
            WHERE provider_state <> 'ready' AND settle_after < now() AND ${isOfEnabledRealm}
            ORDER BY settle_after
            LIMIT ${batchSize}
            FOR UPDATE SKIP LOCKED
          ))
          RETURNING id, provider_application_id AS "applicationId",
                    registration_guid AS "registrationGuid", settle_after AS "settleAfter"`,
    );
  }

  private async reconcile(registration: PendingRegistration): Promise<void> {
    const { applicationId, registrationGuid } = registration;
    const fields = { application: applicationId, registration: registrationGuid };
    try {
      const provider = await this.providers.forApplication(applicationId);
      const held = await provider.registrationExists(registrationGuid);
      if (held) await this.confirmRegistrations.confirm(registration);
      else await this.delete(registration);
      this.logger.info({ ...fields, held }, 'reconciled a pending registration with its provider');
    } catch (error) {
      logFailedWork(
        this.logger,
        error,
        { ...fields, reason: Failure.from(error).message },
        'failed to reconcile a pending registration; the next attempt is in a minute',
      );
    }
  }

  private async delete(registration: PendingRegistration): Promise<void> {
    const { id, applicationId, settleAfter } = registration;
    await this.database.execute(
      sql`DELETE FROM registrations
          WHERE id = ${id} AND provider_application_id = ${applicationId}
            AND provider_state <> 'ready' AND settle_after = ${settleAfter}`,
    );
  }
}
