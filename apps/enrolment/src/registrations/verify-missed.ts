import { BusClient } from '#libs/bus';
import { crawlRegistrations } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { ApplyCrawl } from './apply-crawl.ts';

/** What one crawl request takes at most (libs/contracts, crawler). */
const batchSize = 100;

/** Asks by name for registrations that a sweep of their provider did not see. */
@Injectable()
export class VerifyMissed {
  constructor(
    private readonly bus: BusClient,
    private readonly database: Database,
    private readonly applyCrawl: ApplyCrawl,
  ) {}

  /** @returns how many were asked for; those without an answer are asked for again later */
  async run(): Promise<number> {
    const missed = await this.claim();
    const [first] = missed;
    if (!first) return 0;
    const { applicationId } = first;
    const crawl = await this.bus.request(crawlRegistrations, {
      applicationId,
      registrationGuids: missed.map((registration) => registration.registrationGuid),
    });
    await this.applyCrawl.run({ applicationId, ...crawl });
    return missed.length;
  }

  /** Registrations of one provider application, left alone by others for five minutes. */
  private claim(): Promise<{ applicationId: number; registrationGuid: string }[]> {
    return this.database.query(
      `UPDATE registrations AS r
       SET verify_after = now() + interval '5 minutes'
       FROM (
         SELECT id FROM registrations
         WHERE missed AND verify_after < now()
           AND provider_application_id = (
             SELECT provider_application_id FROM registrations
             WHERE missed AND verify_after < now()
             ORDER BY verify_after
             LIMIT 1
           )
         ORDER BY verify_after
         LIMIT ${batchSize}
         FOR UPDATE SKIP LOCKED
       ) AS due
       WHERE r.id = due.id
       RETURNING r.provider_application_id AS "applicationId",
                 r.registration_guid AS "registrationGuid"`,
    );
  }
}
