import type { CrawlType } from '@registrar/contracts';
import * as z from 'zod';

const listKind = z.enum(['changed-registrations', 'all-registrations', 'courses']);

/** A crawl of one of the provider's lists. */
export type ListKind = z.output<typeof listKind>;

/** What is crawled of a provider application; `registrations-by-name`: single ones, by their GUIDs. */
export const crawlKind = z.enum([...listKind.options, 'registrations-by-name']);
export type CrawlKind = z.output<typeof crawlKind>;

/** A part of a list: what was created, or changed, from one time to another. Null: without an end there. */
export interface TimeWindow {
  readonly since: Date | null;
  readonly until: Date | null;
}

/** A stored window of a divided list. */
export interface ClaimedWindow extends TimeWindow {
  readonly id: number;
  /** How often it was read again, because items were missing. */
  readonly repetitions: number;
}

/** One replica's lease on a provider application, or on one window of its lists, until the next epoch. */
export interface Lease {
  readonly applicationId: number;
  /** Null for the lease on the application. */
  readonly window: ClaimedWindow | null;
  /** Rises with every claim of the application or window. */
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

/** One page of a list or of one of its windows, with the state of the crawl after the previous pages. */
export interface ListClaim extends ClaimOf<ListKind> {
  /** The provider's token for the page; null for the first page. */
  readonly more: string | null;
  /** The stamp of the first page of the list; null when this is the first page. */
  readonly firstPage: CrawlStamp | null;
  /** Number of items of the previous pages. */
  readonly items: number;
  /** The provider's number of items of the list, or of the window, at its first page; null if it is not known. */
  readonly total: number | null;
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
