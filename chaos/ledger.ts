/** What became of something that a client asked for: without an answer it may have been done. */
export type Outcome = 'acknowledged' | 'unknown';

export interface RegistrationEntry {
  readonly learner: string;
  readonly course: string;
  /** As the answer told it; null without one. */
  readonly guid: string | null;
}

/** A learner's claim of a licence's seat. */
export interface ClaimEntry {
  readonly learner: string;
  /** The registration that came with the seat; `refused` when none was free. */
  readonly answer: { readonly guid: string } | 'refused' | 'unknown';
}

export interface LicenceEntry {
  readonly name: string;
  readonly course: string;
  readonly seats: number;
  readonly outcome: Outcome;
  readonly claims: ClaimEntry[];
}

/** What the provider has acknowledged of a learner's attempt. */
export interface AttemptEntry {
  readonly guid: string;
  /** Percent. */
  readonly score: number;
}

/** A failed operation. */
export interface ErrorEntry {
  readonly operation: string;
  /** The status of the answer, or why there was none. */
  readonly kind: string;
  /** Milliseconds since the epoch. */
  readonly begunAt: number;
  readonly endedAt: number;
}

/** Everything that clients were told during a run. */
export class Ledger {
  readonly registrations: RegistrationEntry[] = [];
  readonly licences: LicenceEntry[] = [];
  readonly apiKeys: string[] = [];
  readonly attempts: AttemptEntry[] = [];
  readonly errors: ErrorEntry[] = [];
  /** Answers that contradict what was acknowledged before. */
  readonly contradictions: string[] = [];
  /** Answers that came too long after their deadline. */
  readonly late: string[] = [];
  /** How many operations of each kind were acknowledged. */
  readonly acknowledged = new Map<string, number>();
  /** Of answers of any kind: milliseconds. */
  longestAnswer = 0;

  /** How many operations were acknowledged in all. */
  get sum(): number {
    return [...this.acknowledged.values()].reduce((total, count) => total + count, 0);
  }

  /** Takes the errors out, to tell them apart from later ones. */
  takeErrors(): string[] {
    return this.errors.splice(0).map(({ operation, kind }) => `${operation}: ${kind}`);
  }

  count(operation: string): void {
    this.acknowledged.set(operation, (this.acknowledged.get(operation) ?? 0) + 1);
  }
}
