/** What is crawled of a provider application. */
export type ListKind = 'changed-registrations' | 'all-registrations' | 'courses';
export type CrawlKind = ListKind | 'registrations-by-name';

/** The hold of one replica on one provider application, until its epoch is over. */
export interface Hold {
  readonly applicationId: number;
  /** Rises with every claim of the application. */
  readonly epoch: string;
}

interface ClaimOf<Kind extends CrawlKind> extends Hold {
  readonly realmId: number;
  readonly kind: Kind;
  readonly claimedAt: Date;
}

/** One page of a list, and what is known of the pages before it. */
export interface ListClaim extends ClaimOf<ListKind> {
  readonly more: string | null;
  /** When and with which sequence the first page was asked for; null when this is the first. */
  readonly begun: { readonly sequence: number; readonly at: Date } | null;
  readonly items: number;
  readonly courseGuids: readonly string[];
  readonly intervalSeconds: number;
  /** How often this kind has failed in a row. */
  readonly failures: number;
  /** When the last crawl of this kind that came to its end began. */
  readonly windowAt: Date | null;
}

/** Some registrations that are due. */
export interface NamesClaim extends ClaimOf<'registrations-by-name'> {
  readonly due: readonly DueRegistration[];
}

export interface DueRegistration {
  readonly registrationGuid: string;
  readonly step: number;
  /** As PostgreSQL writes it, so that nothing of it is lost: it names this turn of the row. */
  readonly dueAt: string;
}

export type Claim = ListClaim | NamesClaim;
