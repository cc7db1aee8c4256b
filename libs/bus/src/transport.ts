import type { BusClient } from './bus-client.ts';
import type { BusMember } from './bus-member.ts';
import type { BusServer } from './bus-server.ts';

/** An app's connection to a bus. */
export interface BusEndpoint {
  readonly client: BusClient;
  /** Nest's transport strategy, which calls the app's handlers. */
  readonly server: BusServer;
  /** Why messages can be neither sent nor received at present, as texts without secrets; normally empty. */
  readonly faults: readonly string[];
  /** Relays due events of the outbox now. */
  readonly relayNow: () => void;
  /** Relays no more events, and waits for those that are being sent. */
  stopRelay(): Promise<void>;
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
  /** Adds an app to the bus. It receives messages after `listen` of its server. */
  join(app: BusMember): BusEndpoint;
}
