import type { Database } from '#libs/persistence';
import type { Logger } from '#libs/platform';
import type { BusMetrics } from './bus-metrics.ts';
import type { BusClient } from './client.ts';
import type { BusServer } from './strategy.ts';

/** An app as it joins a bus. A context's name is what its requests and events are addressed to. */
export interface JoiningApp {
  readonly name: string;
  readonly logger: Logger;
  readonly metrics: BusMetrics;
  /** For the outbox and the inbox; an app without one publishes nothing and subscribes to nothing. */
  readonly database: Database | null;
}

/** One app's place on a bus. */
export interface BusEndpoint {
  readonly client: BusClient;
  /** Whether requests and events can be sent at present. */
  readonly usable: boolean;
  /** Something was written to the outbox: relay it now. */
  readonly kick: () => void;
  /** Begins to deliver to the app's handlers, and to relay its outbox. */
  serve(server: BusServer): Promise<void>;
  /** Takes no more, finishes what runs, hands back the rest; the client can still ask. */
  drain(): Promise<void>;
  /** Gives up the place: nothing can be asked any more. */
  close(): Promise<void>;
  /** Calls `listener` whenever broadcasts may have been missed. */
  onReconnect(listener: () => void): void;
}

/** What carries requests and events between apps: in-process, or over RabbitMQ. */
export interface BusTransport {
  join(app: JoiningApp): BusEndpoint;
}
