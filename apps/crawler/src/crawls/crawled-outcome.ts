import { type CrawlOutcome, type CrawlType, type ProviderRegistration } from '@registrar/contracts';
import { createHash } from 'node:crypto';

export type CrawledOutcome = Extract<CrawlOutcome, { outcome: 'crawled' }>;

/** Returns the outcome of a crawl that read a result, with the digest of the result. */
export function crawledOutcome(result: ProviderRegistration, crawlType: CrawlType): CrawledOutcome {
  const text = JSON.stringify([crawlType, result]);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { outcome: 'crawled', registrationGuid: result.registrationGuid, result, digest };
}
