import { BusClient } from '@registrar/bus';
import { crawlRegistrations } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { ApplyCrawl } from './apply-crawl.ts';
import { isOfEnabledRealm } from './enabled-realms.ts';

/** The most registrations that one crawl request takes (libs/contracts, crawler). */
const batchSize = 100;

const missedRow = z.object({ applicationId: z.number(), registrationGuid: z.string() });

/** Crawls, by name, registrations that a sweep of their provider application did not return. */
@Injectable()
export class VerifyMissedRegistrations {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly applyCrawl: ApplyCrawl,
  ) {}

  /** Verifies a batch and returns its size. Those without an outcome become due again later. */
  @PeriodicTask({
    name: 'verify missed registrations',
    everyMs: 5_000,
    restMs: 20_000,
    timeoutMs: 30_000,
  })
  async verifyDue(): Promise<number> {
    const missed = await this.claimDue();
    const [first] = missed;
    if (!first) return 0;
    const { applicationId } = first;
    const crawl = await this.bus.request(crawlRegistrations, {
      applicationId,
      registrationGuids: missed.map((registration) => registration.registrationGuid),
    });
    await this.applyCrawl.apply({ applicationId, ...crawl });
    return missed.length;
  }

  /** Claims registrations of one provider application for five minutes. */
  private claimDue(): Promise<z.infer<typeof missedRow>[]> {
    return this.database.many(
      missedRow,
      // An array is computed once; a joined subquery may be computed, and claim a batch, for each row.
      sql`UPDATE registrations
          SET verify_after = now() + interval '5 minutes'
          WHERE id = ANY (ARRAY(
            SELECT id FROM registrations
            WHERE missed AND verify_after < now() AND ${isOfEnabledRealm}
              AND provider_application_id = (
                SELECT provider_application_id FROM registrations
                WHERE missed AND verify_after < now() AND ${isOfEnabledRealm}
                ORDER BY verify_after
                LIMIT 1
              )
            ORDER BY verify_after
            LIMIT ${batchSize}
            FOR UPDATE SKIP LOCKED
          ))
          RETURNING provider_application_id AS "applicationId",
                    registration_guid AS "registrationGuid"`,
    );
  }
}
