import {
  AddressRates,
  fastifyOptions,
  type HttpLimits,
  type HttpServerOptions,
} from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import cookies from '@fastify/cookie';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { CallLimits } from '../calls/call-limits.ts';
import { CurrentSession } from '../sessions/current-session.ts';
import type { ConsoleSettings } from '../settings.ts';
import { serveClient } from '../static/client-files.ts';
import { ConsoleAddress, pathPrefix } from './console-address.ts';
import { requireSameOrigin } from './same-origin.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** Characters of a segment of a path: the name of a call. */
const maxPathSegmentLength = 200;

/** What begins or ends a sign-in: some of it is costly, and needs no access. */
const signInPaths = ['/sign-in/', '/api/sign-in/'];

/** Sign-ins of an address, per second. */
const signInsPerSecond = 10;

/** The HTTP server of the console: its limits, headers and files. */
export function httpServerOptions(
  settings: ConsoleSettings,
  limits: HttpLimits,
): HttpServerOptions {
  const { CONSOLE_PORT: port, CONSOLE_URL: publicUrl, CONSOLE_OIDC_ISSUER: issuerUrl } = settings;
  const prefix = pathPrefix(settings);
  const issuer = issuerUrl === undefined ? undefined : new URL(issuerUrl).origin;
  const isApi = (url: string) => url.startsWith(`${prefix}/api/`);
  const isCall = (url: string) => url.startsWith(`${prefix}/api/calls/`);
  const isSignIn = (url: string) => signInPaths.some((path) => url.startsWith(prefix + path));
  const bodyTypeOf = (url: string) =>
    url.startsWith(`${prefix}/api/uploads/`) ? 'application/zip' : 'application/json';
  return {
    port,
    publicUrl,
    limits,
    adapter: new FastifyAdapter({
      ...fastifyOptions(limits),
      routerOptions: { maxParamLength: maxPathSegmentLength },
    }),
    respondToUnfinished: (reply, { status, reason }) => {
      const failure = { code: 'invalid', message: reason, requestId: reply.request.id };
      void reply.status(status).send(failure);
    },
    checkAccess: (app) => {
      const current = app.get(CurrentSession);
      return async (request) => {
        const session = await current.find(request);
        return session && { realmId: 0, key: session.account };
      };
    },
    configure: async (app) => {
      app.setGlobalPrefix(prefix);
      const server = app.getHttpAdapter().getInstance();
      const address = app.get(ConsoleAddress);
      const current = app.get(CurrentSession);
      const callLimits = app.get(CallLimits);
      const rates = new AddressRates(limits);
      const signInRates = new AddressRates({
        requestsPerSecondOfAddress: signInsPerSecond,
        trustsPeer: limits.trustsPeer,
      });
      await server.register(cookies);
      // The controller of uploads reads it, piece by piece.
      server.addContentTypeParser('application/zip', (_request, payload, done) =>
        done(null, payload),
      );
      server.addHook('onRequest', (request, reply, done) => {
        setSecurityHeaders(reply, issuer);
        void reply.header('x-request-id', request.id);
        const session = isCall(request.url) ? current.holderOf(request) : null;
        const waitSeconds =
          rates.count(request.ip) ||
          (isSignIn(request.url) && signInRates.count(request.ip)) ||
          (session !== null && callLimits.count(session)) ||
          0;
        if (waitSeconds > 0) {
          const failure = new Failure(
            'over-limit',
            'this address or session sends too many requests',
            undefined,
            {
              retryAfterSeconds: waitSeconds,
            },
          );
          done(failure);
          return;
        }
        if (isApi(request.url)) {
          void reply.header('cache-control', 'no-store');
          try {
            requireSameOrigin(request, address.origin, bodyTypeOf(request.url));
          } catch (error) {
            done(error as Failure);
            return;
          }
        }
        done();
      });
      await serveClient(server, { prefix, issuer });
    },
  };
}
