import { type HttpLimits, httpLimits, type StartedApp, startApp } from '@registrar/bootstrap';
import { type BusTransport } from '@registrar/bus';
import { Failure } from '@registrar/contracts';
import type { Logger } from '@registrar/platform';
import { ErrorResponder } from './http/error-responder.ts';
import { createFastifyAdapter } from './http/fastify-adapter.ts';
import { RequestPipeline } from './http/request-pipeline.ts';
import type { RefusedRequest } from './http/refused-request.ts';
import { isPostback, PostbackRoutes } from './postbacks/postback-routes.ts';
import { GatewayError } from './responses/gateway-error.ts';
import { notesOf } from './http/served-requests.ts';
import { GatewayModule } from './gateway.module.ts';
import type { GatewaySettings } from './settings.ts';

export type { RefusedRequest } from './http/refused-request.ts';
export * from './settings.ts';

interface GatewayParts {
  readonly transport: BusTransport;
  readonly logger: Logger;
  /** Called for requests that are answered with an error ({@link ErrorResponder}); the logger gets a line as well. */
  readonly onRefused?: (request: RefusedRequest) => void;
  /** Shorter times, for suites. */
  readonly limits?: Partial<HttpLimits>;
}

/** Starts the HTTP API on a bus that the contexts are connected to. */
export function startGateway(
  settings: GatewaySettings,
  { transport, logger, onRefused = () => undefined, ...shortened }: GatewayParts,
): Promise<StartedApp> {
  const errors = new ErrorResponder(logger, onRefused);
  const limits = { ...httpLimits(settings), ...shortened.limits };
  return startApp({
    name: 'gateway',
    module: GatewayModule.with(settings, errors, limits),
    transport,
    logger,
    http: {
      port: settings.PORT,
      publicUrl: settings.PUBLIC_URL,
      adapter: createFastifyAdapter(errors, settings, limits),
      limits,
      checkAccess: (app) => {
        const [pipeline, postbacks] = [app.get(RequestPipeline), app.get(PostbackRoutes)];
        return (request, reply) =>
          isPostback(request)
            ? postbacks.checkAccess(request)
            : pipeline.checkAccess(request, reply);
      },
      respondToUnfinished: (reply, { status, reason }) => {
        const error =
          status === 408 ? new GatewayError(status, reason) : new Failure('overloaded', reason);
        errors.respond(error, reply, null);
        notesOf(reply).fault = 'client';
      },
    },
    managementPort: settings.MANAGEMENT_PORT,
  });
}
