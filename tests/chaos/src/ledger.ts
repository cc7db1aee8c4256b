/** The outcome of an operation for its client. Without a response the operation may have taken effect. */
export type Outcome = 'acknowledged' | 'unknown';

export interface RegistrationEntry {
  readonly learner: string;
  readonly course: string;
  /** The GUID in the response; null without a response. */
  readonly guid: string | null;
}

/** A learner's claim of a seat of a license. */
export interface ClaimEntry {
  readonly learner: string;
  /** The registration of the granted seat; `refused` when no seat was free. */
  readonly answer: { readonly guid: string } | 'refused' | 'unknown';
}

export interface LicenseEntry {
  readonly name: string;
  readonly course: string;
  readonly seats: number;
  readonly outcome: Outcome;
  readonly claims: ClaimEntry[];
}

/** An attempt of a learner that the provider has acknowledged. */
export interface AttemptEntry {
  readonly guid: string;
  /** Percent. */
  readonly score: number;
}

/** A failed operation. */
export interface ErrorEntry {
  readonly operation: string;
  /** The status of the response, or the error of the connection. */
  readonly kind: string;
  /** Milliseconds since the epoch. */
  readonly begunAt: number;
  readonly endedAt: number;
}

/** All responses that clients received during a run. */
export class Ledger {
  readonly registrations: RegistrationEntry[] = [];
  readonly licenses: LicenseEntry[] = [];
  readonly apiKeys: string[] = [];
  readonly attempts: AttemptEntry[] = [];
  readonly errors: ErrorEntry[] = [];
  /** Responses that contradict an earlier acknowledgement. */
  readonly contradictions: string[] = [];
  /** Responses that arrived too long after their deadline. */
  readonly late: string[] = [];
  /** Number of acknowledged operations of each kind. */
  readonly acknowledged = new Map<string, number>();
  /** When operations were acknowledged, in milliseconds since the epoch, in order. */
  readonly acknowledgedAt: number[] = [];
  /** The longest time until a response in milliseconds. */
  longestResponseMs = 0;

  /** Number of all acknowledged operations. */
  get totalAcknowledged(): number {
    return [...this.acknowledged.values()].reduce(
      (total, recordAcknowledged) => total + recordAcknowledged,
      0,
    );
  }

  /** Removes and returns the errors so far, to separate them from later ones. */
  takeErrors(): string[] {
    return this.errors.splice(0).map(({ operation, kind }) => `${operation}: ${kind}`);
  }

  count(operation: string): void {
    this.acknowledgedAt.push(Date.now());
    this.acknowledged.set(operation, (this.acknowledged.get(operation) ?? 0) + 1);
  }
}
