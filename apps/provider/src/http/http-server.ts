import {
  clientAddress,
  fastifyOptions,
  type HttpLimits,
  type HttpServerOptions,
  MultipartForm,
  OverLimitLog,
} from '@registrar/bootstrap';
import { appLogger, clock, type Logger, runInRequestContext } from '@registrar/platform';
import staticFiles from '@fastify/static';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { CourseWindows } from '../launches/course-windows.ts';
import { ApiHostGuard } from '../origins/api-host.guard.ts';
import { BasicAuthGuard } from './basic-auth.guard.ts';
import { endSlowReaders } from './end-slow-readers.ts';
import { limitAddresses } from './limit-addresses.ts';

/** The deadline of a request, counted from when its body has been read. */
const requestTimeoutMs = 30_000;
/** Characters per path segment. Launch links contain a signed token with a URL in it. */
const maxPathSegmentLength = 8192;

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
    void reply.status(status).send({ message: `The request was ended: ${reason}.` });
  },
  checkAccess(app) {
    const hosts = app.get(ApiHostGuard);
    const applications = app.get(BasicAuthGuard);
    const windows = app.get(CourseWindows);
    return async (request, reply) => {
      if (pathOf(request).startsWith('/play/:token/')) return windows.checkWindow(request);
      if (!isOfApi(request)) return null;
      hosts.check(request);
      return applications.checkCredentials(request, reply);
    };
  },
  async configure(app) {
    // Adds reply.sendFile; routes are declared by the controllers.
    await app.register(staticFiles, { serve: false });
    const server = app.getHttpAdapter().getInstance();
    // Responses of the API contain results of learners and launch links.
    server.addHook('onRequest', (request, reply, done) => {
      if (isOfApi(request)) void reply.header('cache-control', 'no-store');
      done();
    });
    limitAddresses(server, limits, app.get(OverLimitLog));
    endSlowReaders(server, limits.minDataRate, app.get<Logger>(appLogger));
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
