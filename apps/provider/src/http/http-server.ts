import {
  AddressRates,
  clientAddress,
  clientNetwork,
  endSlowReading,
  fastifyOptions,
  type HttpLimits,
  type HttpServerOptions,
  MultipartForm,
  OverLimitLog,
} from '@registrar/bootstrap';
import { appLogger, clock, type Logger, runInRequestContext } from '@registrar/platform';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { CourseWindows } from '../launches/course-windows.ts';
import { ApiHostGuard } from '../origins/api-host.guard.ts';
import { ApiAccessGuard } from './api-access.guard.ts';
import { errorBody } from './error-body.ts';

/** The deadline of a request, counted from when its body has been read. */
const requestTimeoutMs = 30_000;
/** Characters per path segment. Launch links contain a signed token with a URL in it. */
const maxPathSegmentLength = 8192;
/** What the operating system takes at once from a socket that is not busy: the client sets no pace. */
const sentAtOnceBytes = 16 * 1024;

/** The path of the route that serves a request, or the requested one if it is unknown. */
const pathOf = ({ routeOptions, url }: FastifyRequest): string => routeOptions.url ?? url;

const isOfApi = (request: FastifyRequest): boolean => pathOf(request).startsWith('/api/');

/** The HTTP server of the provider: its limits and the request context. */
export const httpServerOptions = (
  limits: HttpLimits,
): Omit<HttpServerOptions, 'port' | 'publicUrl'> => ({
  limits,
  adapter: new FastifyAdapter({
    ...fastifyOptions(limits),
    routerOptions: { maxParamLength: maxPathSegmentLength },
  }),
  respondToUnfinished: (reply, { status, reason }) => {
    void reply.status(status).send(errorBody(`The request was ended: ${reason}.`));
  },
  checkAccess(app) {
    const hosts = app.get(ApiHostGuard);
    const applications = app.get(ApiAccessGuard);
    const windows = app.get(CourseWindows);
    return async (request) => {
      if (pathOf(request).startsWith('/play/:token/')) return windows.checkWindow(request);
      if (!isOfApi(request)) return null;
      hosts.check(request);
      return applications.checkCredentials(request);
    };
  },
  configure(app) {
    const server = app.getHttpAdapter().getInstance();
    // Responses of the API contain results of learners and launch links.
    server.addHook('onRequest', (request, reply, done) => {
      if (isOfApi(request)) void reply.header('cache-control', 'no-store');
      done();
    });
    const rates = new AddressRates(limits);
    const overLimit = app.get<OverLimitLog<'address'>>(OverLimitLog);
    // Addresses that have reached their limit are refused before anything else is known of them.
    server.addHook('onRequest', (request, reply, done) => {
      const waitSeconds = rates.count(request.ip);
      if (waitSeconds === 0) return done();
      const address = clientNetwork(request.ip);
      overLimit.record('address', `address ${address} has reached its limit: requests per second`);
      const message = 'This client sends too many requests. Try again later.';
      void reply.status(503).header('retry-after', String(waitSeconds)).send(errorBody(message));
    });
    const logger = app.get<Logger>(appLogger);
    server.addHook('onSend', ({ id, ip }, reply, payload, done) => {
      if (takesTime(payload)) {
        endSlowReading(reply.raw, limits.minDataRate, () => {
          const line = { request_id: id, client_address: clientAddress(ip) };
          const reason = 'the client reads the response too slowly';
          logger.warn({ ...line, reason }, 'response aborted');
        });
      }
      done(null, payload);
    });
    // Set after the body has been read, because reading it loses the asynchronous context.
    server.addHook('preHandler', (request, _reply, done) => {
      // The body of an upload has not been read here, so that only its speed is limited.
      const isForm = request.body instanceof MultipartForm;
      const deadline = isForm ? null : clock.now() + requestTimeoutMs;
      const address = clientAddress(request.ip);
      const origin = { requestId: request.id, ...(address && { clientAddress: address }) };
      runInRequestContext({ ...origin, deadline }, done);
    });
  },
});

const takesTime = (payload: unknown): boolean =>
  typeof payload === 'string'
    ? payload.length > sentAtOnceBytes
    : payload !== null && payload !== undefined;
