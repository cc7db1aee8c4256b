import type { Database } from '@registrar/persistence';
import type { Logger } from '@registrar/platform';
import type { BusMetrics } from './bus-metrics.ts';
import type { BusClient } from './bus-client.ts';
import type { BusServer } from './bus-server.ts';
import type { ArrivingEvent } from './inbox.ts';
import type { UnverifiedMessage } from './parked-events.ts';

/** An app that joins a bus. */
export interface BusMember {
  /** The address of requests and events: the name of the context, or of an app without handlers. */
  readonly name: string;
  readonly logger: Logger;
  readonly metrics: BusMetrics;
  /** Holds outbox and inbox. An app without a database can neither publish nor subscribe. */
  readonly database: Database | null;
}

/** An app's connection to a bus. */
export interface BusEndpoint {
  readonly client: BusClient;
  /** Why messages can be neither sent nor received at present, as texts without secrets; normally empty. */
  readonly faults: readonly string[];
  /** Relays due events of the outbox now. */
  readonly relayNow: () => void;
  /** Starts to call the app's handlers and to relay its outbox. Resolves when it is connected. */
  serve(server: BusServer): Promise<void>;
  /**
   * Receives no more messages, waits for running handlers and the relay, and returns requests that
   * have not started to their queue. The client can still send requests.
   */
  drain(): Promise<void>;
  /**
   * Returns the event of a message that was parked because it could not be verified; null if it is
   * not an event. Transports without keys do not have it.
   *
   * @throws {Failure} `invalid` when it still cannot be verified
   */
  verifyParked?(message: UnverifiedMessage): ArrivingEvent | null;
  /** Disconnects. Requests that wait for a reply fail with `unavailable`. */
  close(): Promise<void>;
  /** Calls `listener` after every reconnect: broadcasts in between were not received. */
  onReconnect(listener: () => void): void;
}

/**
 * Carries requests, events and broadcasts between apps: `inProcessTransport()` within one process,
 * `rabbitMqTransport()` between processes. Both pass one conformance suite (bus.fixture.ts). A
 * transport may be given to several apps of one process.
 */
export interface BusTransport {
  /** Adds an app to the bus. It receives messages after {@link BusEndpoint.serve}. */
  join(app: BusMember): BusEndpoint;
}
