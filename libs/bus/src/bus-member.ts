import type { Database } from '@registrar/persistence';
import type { Logger } from '@registrar/platform';
import type { BusMetrics } from './bus-metrics.ts';
import type { RejectedMessages } from './rejected-messages.ts';

/** An app that joins a bus. */
export interface BusMember {
  /** The address of requests and events: the name of the context, or of an app without handlers. */
  readonly name: string;
  readonly logger: Logger;
  readonly metrics: BusMetrics;
  readonly rejected: RejectedMessages;
  /** Holds outbox and inbox. An app without a database can neither publish nor subscribe. */
  readonly database: Database | null;
}
