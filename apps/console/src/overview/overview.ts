/** A running process of an app. */
export interface ReplicaOverview {
  readonly replica: string;
  readonly version: string;
  /** ISO 8601. */
  readonly startedAt: string;
  /** When its last report arrived: ISO 8601. */
  readonly seenAt: string;
  readonly memoryBytes: number;
}

/** An app with its running processes, as far as they have reported within the last minutes. */
export interface AppOverview {
  readonly app: string;
  /** None if the app does not run, or has not reported yet. */
  readonly replicas: readonly ReplicaOverview[];
  /** Of HTTP at the gateway and of the bus at the others, in the last minutes; null before two reports. */
  readonly requestsPerSecond: number | null;
  readonly failuresPerSecond: number | null;
  /** 95 % of the requests took no longer; null without requests. */
  readonly p95Ms: number | null;
  /** Messages of requests that wait at the broker; null where there is none, or it is not known. */
  readonly waitingMessages: number | null;
  /** Null for apps without an outbox. */
  readonly outbox: OutboxOverview | null;
}

export interface OutboxOverview {
  readonly waiting: number;
  readonly oldestSeconds: number;
  /** Parked events, both received and undelivered ones. */
  readonly parked: number;
}

/** A point of a sparkline: what the gateway served in a time, and how the outboxes were. Null: not known. */
export interface Sample {
  /** The beginning of the time: ISO 8601. */
  readonly at: string;
  readonly requestsPerSecond: number | null;
  readonly failuresPerSecond: number | null;
  readonly p95Ms: number | null;
  /** Of all outboxes. */
  readonly outboxWaiting: number | null;
  readonly outboxOldestSeconds: number | null;
  readonly parkedEvents: number | null;
}

/** The samples of a time, without those in which nothing was known. */
export interface History {
  /** Between the beginnings of two samples: seconds. */
  readonly stepSeconds: number;
  readonly samples: readonly Sample[];
}

/** A provider application whose crawls need attention. */
export interface LateCrawl {
  readonly application: number;
  readonly state: string;
  readonly lateSeconds: number;
  readonly error: string | null;
}

/** Something that the operator should look at. */
export interface Finding {
  readonly level: 'warn' | 'fail';
  /** Names the check, so that the client can translate it. */
  readonly check: 'app-missing' | 'versions' | 'outbox' | 'parked-events' | 'crawls';
  /** What it is about: apps, applications or versions. */
  readonly subjects: readonly string[];
  /** The text of `registrar doctor`, in English. */
  readonly message: string;
  readonly remedy: string;
}
