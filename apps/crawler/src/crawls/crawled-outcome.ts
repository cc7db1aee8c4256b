import type { Outbox } from '@registrar/bus';
import {
  type CrawlOutcome,
  type CrawlType,
  type ProviderRegistration,
  registrationsCrawled,
  toTimestamp,
} from '@registrar/contracts';
import { createHash } from 'node:crypto';
import type { Claim, CrawlStamp } from '../due-work/claim.ts';
import { splitIntoBatches } from './split-into-batches.ts';

export type CrawledOutcome = Extract<CrawlOutcome, { outcome: 'crawled' }>;

/** Returns the outcome of a crawl that read a result, with the digest of the result. */
export function crawledOutcome(result: ProviderRegistration, crawlType: CrawlType): CrawledOutcome {
  const text = JSON.stringify([crawlType, result]);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { outcome: 'crawled', registrationGuid: result.registrationGuid, result, digest };
}

/** Publishes what requests with a stamp have read of registrations, in the current transaction. */
export async function publishOutcomes(
  outbox: Outbox,
  { applicationId, realmId, policy: { crawlType } }: Claim,
  { sequence, at }: CrawlStamp,
  outcomes: readonly CrawlOutcome[],
): Promise<void> {
  const crawl = { applicationId, realmId, sequence, crawledAt: toTimestamp(at), crawlType };
  for (const batch of splitIntoBatches(outcomes)) {
    await outbox.publish(registrationsCrawled, { ...crawl, outcomes: batch });
  }
}
