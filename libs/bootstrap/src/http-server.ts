import type { IncomingMessage, Server } from 'node:http';
import { activity, clock, requestIdFrom } from '@registrar/platform';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Registry } from 'prom-client';
import { type CheckAccess, hasBody, readBodies } from './bodies/read-bodies.ts';
import { type UnfinishedBody, watchBodies } from './bodies/watch-bodies.ts';
import type { HttpLimits } from './http-limits.ts';
import { limitConnections } from './limit-connections.ts';

/** How an app serves HTTP. */
export interface HttpServerOptions {
  /** The TCP port; 0 lets the system choose one. */
  readonly port: number;
  /** The URL of the server for clients, if it is not that of the port. */
  readonly publicUrl: string | undefined;
  /** Fastify's server with its options, among them those of {@link fastifyOptions}. */
  readonly adapter: FastifyAdapter;
  readonly limits: HttpLimits;
  /** Checks the access that the head of a request shows, before its body is read. */
  checkAccess(app: NestFastifyApplication): CheckAccess;
  /** Responds to a request whose body has not arrived in time. */
  readonly respondToUnfinished: (reply: FastifyReply, cause: UnfinishedBody) => void;
  /** Called before the app is initialized: for plugins, hooks and filters. */
  configure?(app: NestFastifyApplication): Promise<void> | void;
}

/** The time between two searches for connections whose headers are late. */
const lateHeadersCheckMs = 1_000;

/**
 * Fastify's options of every server: headers must arrive in time, the client's address is the one
 * that trusted proxies name, a request has the id that the client proposes, and when the server closes,
 * requests on open connections are completed and idle connections are closed.
 */
export const fastifyOptions = ({ headersTimeoutMs: headersTimeout, trustsPeer }: HttpLimits) => ({
  forceCloseConnections: 'idle' as const,
  return503OnClosing: false,
  trustProxy: trustsPeer,
  genReqId: ({ headers }: IncomingMessage) => requestIdFrom(headers['x-request-id']),
  http: {
    headersTimeout,
    connectionsCheckingInterval: Math.min(lateHeadersCheckMs, headersTimeout),
  },
});

/**
 * Applies rules of HTTP that Node leaves to its user. A request with several `Host` headers is no HTTP
 * request (RFC 9112, section 3.2). An `Expect` other than `100-continue` has no effect, which RFC 9110 (section
 * 10.1.1) permits: Node would respond 417 by itself, past all limits.
 */
export function applyHttpRules(server: FastifyInstance, http: Server): void {
  http.on('checkExpectation', (request, response) => http.emit('request', request, response));
  server.addHook('onRequest', ({ raw }, reply, next) => {
    if (countHosts(raw) < 2) {
      next();
      return;
    }
    reply.hijack();
    const error = Object.assign(new Error('several Host headers'), { code: 'HPE_INVALID_HEADER' });
    http.emit('clientError', error, raw.socket);
  });
}

/** The number of `Host` headers. `headersDistinct` would build a list for every header. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]!.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Bounds what clients hold of a server: connections, and bodies, which are read. */
export function protectServer(
  app: NestFastifyApplication,
  { limits, respondToUnfinished, ...http }: HttpServerOptions,
  registry: Registry,
): void {
  limitConnections(app.getHttpServer(), limits, registry);
  const server = app.getHttpAdapter().getInstance();
  applyHttpRules(server, app.getHttpServer());
  const watch = watchBodies(limits, registry, respondToUnfinished);
  readBodies(server, http.checkAccess(app));
  server.addHook('onRequest', (request, reply, next) => {
    activity.note();
    if (hasBody(request)) watch(request, reply);
    next();
  });
}

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
    .addHook('onSend', (_request, reply, _payload, next) => {
      if (isDraining) void reply.header('connection', 'close');
      next();
    });
  return async () => {
    isDraining = true;
    await clock.sleep(connectionDrainMs);
  };
}
