import type { BusClient } from './bus-client.ts';
import type { BusMember } from './bus-member.ts';
import type { BusServer } from './bus-server.ts';

/** The injection token of an app's {@link BusEndpoint}. */
export const busEndpoint = Symbol('bus endpoint');

/** An app's connection to a bus. */
export interface BusEndpoint {
  readonly client: BusClient;
  /** Nest's transport strategy, which calls the app's handlers. */
  readonly server: BusServer;
  /** Absent for a transport whose connection cannot be lost. */
  readonly connection?: {
    /** Why messages can be neither sent nor received at present, as texts without secrets; normally empty. */
    readonly faults: readonly string[];
    /** Disconnects. Requests that wait for a reply fail with `unavailable`. */
    close(): Promise<void>;
    /** Calls `listener` after every reconnect: broadcasts in between were not received. */
    onReconnect(listener: () => void): void;
  };
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
