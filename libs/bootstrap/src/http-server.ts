import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';

/** How an app serves HTTP. */
export interface HttpServerOptions {
  /** The TCP port; 0 lets the system choose one. */
  readonly port: number;
  /** Fastify's server with its options; by default Nest's, with {@link gracefulClose}. */
  readonly adapter?: FastifyAdapter;
  /** Called before the app is initialised: for plugins, hooks and filters. */
  configure?(app: NestFastifyApplication): Promise<void> | void;
}

/**
 * Fastify's options for closing a server: requests on open connections are completed, and idle
 * connections are closed.
 */
export const gracefulClose = { forceCloseConnections: 'idle', return503OnClosing: false } as const;

/**
 * The time that a stopping app responds with `Connection: close` before it closes idle connections:
 * milliseconds. A request that a client sends on a connection being closed would be lost.
 */
const connectionDrainMs = 500;

/**
 * Prepares a server for its shutdown.
 *
 * @returns a function that sends `Connection: close` with every response from then on, and resolves
 * when clients have had time to use other connections
 */
export function drainConnectionsOf(app: NestFastifyApplication): () => Promise<void> {
  let isDraining = false;
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onSend', async (_request, reply) => {
      if (isDraining) void reply.header('connection', 'close');
    });
  return async () => {
    isDraining = true;
    await pause(connectionDrainMs);
  };
}
