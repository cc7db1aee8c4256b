import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../operations/operation-table.ts';
import type { Method, Operation } from '../operations/operation.ts';
import { PostbackRoutes } from '../postbacks/postback-routes.ts';
import { serveReference } from '../reference/reference-page.ts';
import { parseFormat } from '../responses/response-format.ts';
import { type GatewaySettings, gatewaySettingsToken } from '../settings.ts';
import { ErrorResponder } from './error-responder.ts';
import type { OperationRoute } from './method-override.ts';
import { type OperationRequest, RequestPipeline } from './request-pipeline.ts';
import { sendPreflightResponse, setResponseHeaders } from './response-headers.ts';
import { ServedRequests } from './served-requests.ts';
import { refuseOtherMethods } from './unknown-methods.ts';

/** What Fastify keeps of a route. */
export interface RouteConfig {
  readonly operation?: Operation;
  /** The origins whose pages may read its responses, if they are not those of the settings. */
  readonly origins?: readonly string[];
}

/** A GUID or name with a suffix (contract/formats#suffix-after-guid). */
const textWithSuffix = /^(.+)\.(json|xml|csv)$/s;
/** A number with a suffix (contract/formats#suffix-after-number). */
const numberWithSuffix = /^([^.]*)\.(.*)$/s;

/** Splits the suffix from the path: the routes split it from their last part, unless that is an id. */
function parsePath(
  request: FastifyRequest,
  { hasTextId = false }: Operation,
): Pick<OperationRequest, 'suffix' | 'path'> {
  const { suffix, ...path } = request.params as Record<string, string>;
  const idWithSuffix = hasTextId ? textWithSuffix : numberWithSuffix;
  const [, id, format] = idWithSuffix.exec(path['id'] ?? '') ?? [];
  if (id !== undefined && format !== undefined) return { suffix: format, path: { ...path, id } };
  return { suffix: suffix ?? null, path };
}

/** Registers the routes of every operation with Fastify, each with and without a suffix. */
@Injectable()
export class OperationRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly pipeline: RequestPipeline,
    private readonly postbacks: PostbackRoutes,
    private readonly errors: ErrorResponder,
    private readonly served: ServedRequests,
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
  ) {}

  onModuleInit(): void {
    const { API_ROOT: root, CORS_ORIGINS: origins } = this.settings;
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, reply, next) => {
      // An unknown path has no configuration.
      const config = request.routeOptions.config as RouteConfig | undefined;
      const operation = config?.operation ?? null;
      setResponseHeaders(request, reply, config?.origins ?? origins);
      try {
        this.pipeline.arrive(request, operation);
      } catch (error) {
        this.errors.respond(error, reply, operation?.name ?? null);
        return;
      }
      next();
    });
    const paths = operationsByPath();
    for (const [path, byMethod] of paths) {
      // An id includes the suffix: see parsePath.
      const suffixes = path.endsWith(':id') ? [''] : ['', '.:suffix'];
      const changes = new Map([...byMethod].filter(([method]) => method !== 'GET'));
      for (const url of suffixes.map((suffix) => root + path + suffix)) {
        for (const [method, operation] of byMethod) {
          this.register(server, { operation, changes }, method, url);
        }
        refuseOtherMethods(server, this.errors, byMethod, url, itemOperations(paths, path));
      }
    }
    this.postbacks.serve(server);
    serveReference(server, root);
    // Without what the gateway depends on: readiness is the management port's (contract/formats#health-check).
    server.get('/health_check', (_request, reply) =>
      reply
        .header('access-control-allow-origin', '*')
        .type('text/plain; charset=utf-8')
        .send('ok\n'),
    );
    server.options('/*', sendPreflightResponse);
  }

  private register(server: FastifyInstance, route: OperationRoute, method: Method, url: string) {
    const { operation } = route;
    const handle = (request: FastifyRequest, reply: FastifyReply, bodyFault?: Error) => {
      const incoming = { route, ...parsePath(request, operation), request, reply };
      return this.pipeline.handle(incoming, bodyFault);
    };
    server.route({
      method,
      url,
      exposeHeadRoute: method === 'GET' && !operation.writes,
      config: { operation } satisfies RouteConfig,
      onRequest: (request, reply, next) => {
        const { suffix } = parsePath(request, operation);
        try {
          // Before the body is read (contract/errors#order-of-checks).
          if (suffix !== null) parseFormat(suffix);
        } catch (error) {
          this.errors.respond(error, reply, operation.name);
          return;
        }
        next();
      },
      onResponse: (_request, reply, next) => {
        this.served.record(operation, reply);
        next();
      },
      handler: (request, reply) => handle(request, reply),
      // A body that cannot be read.
      errorHandler: (error, request, reply) => void handle(request, reply, error),
    });
  }
}

/** The operations of each path, by method. */
function operationsByPath(): Map<string, Map<Method, Operation>> {
  const paths = new Map<string, Map<Method, Operation>>();
  for (const operation of operations) {
    for (const { method, path } of operation.routes) {
      paths.set(path, (paths.get(path) ?? new Map<Method, Operation>()).set(method, operation));
    }
  }
  return paths;
}

/** The operations of the item whose GUID or name is the last part of the path (contract/formats#named-as-operation). */
function itemOperations(
  paths: ReadonlyMap<string, ReadonlyMap<Method, Operation>>,
  path: string,
): ReadonlyMap<Method, Operation> {
  const ofItem = paths.get(path.replace(/[^/]+$/, ':id')) ?? new Map<Method, Operation>();
  return new Map([...ofItem].filter(([, { hasTextId = false }]) => hasTextId));
}
