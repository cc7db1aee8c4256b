import type { CrawlType } from '@registrar/contracts';
import * as z from 'zod';

const listKind = z.enum(['changed-registrations', 'all-registrations', 'courses']);

/** A crawl of one of the provider's lists. */
export type ListKind = z.output<typeof listKind>;

/** What is crawled of a provider application; `registrations-by-name`: single ones, by their GUIDs. */
export const crawlKind = z.enum([...listKind.options, 'registrations-by-name']);
export type CrawlKind = z.output<typeof crawlKind>;

/** One replica's lease on one provider application, until the next epoch. */
export interface Lease {
  readonly applicationId: number;
  /** Rises with every claim of the application. */
  readonly epoch: number;
}

/** How a provider application is crawled: by the settings, or as the operator has set it. */
export interface CrawlPolicy {
  /** The shortest interval of crawls of changes. */
  readonly intervalSeconds: number;
  readonly crawlType: CrawlType;
}

interface ClaimOf<Kind extends CrawlKind> extends Lease {
  readonly realmId: number;
  readonly kind: Kind;
  readonly claimedAt: Date;
  readonly policy: CrawlPolicy;
}

/** The place of a request to the provider in the order of all of them, and its time. */
export interface CrawlStamp {
  readonly sequence: number;
  readonly at: Date;
}

/** One page of a list, with the state of the crawl after the previous pages. */
export interface ListClaim extends ClaimOf<ListKind> {
  /** The provider's token for the page; null for the first page. */
  readonly more: string | null;
  /** The stamp of the first page; null when this is the first page. */
  readonly firstPage: CrawlStamp | null;
  readonly items: number;
  readonly courseGuids: readonly string[];
  readonly intervalSeconds: number;
  /** Number of consecutive failures of this kind of crawl. */
  readonly failures: number;
  /** When the last complete crawl of this kind began; null if there was none. */
  readonly windowAt: Date | null;
}

export const claimedRegistration = z.object({
  registrationGuid: z.string(),
  step: z.number(),
  /** As text with the microseconds of PostgreSQL: it identifies this version of the row. */
  dueAt: z.string(),
});
export type ClaimedRegistration = Readonly<z.output<typeof claimedRegistration>>;

/** Some registrations that are due. */
export interface RegistrationsClaim extends ClaimOf<'registrations-by-name'> {
  readonly due: readonly ClaimedRegistration[];
}

export type Claim = ListClaim | RegistrationsClaim;
