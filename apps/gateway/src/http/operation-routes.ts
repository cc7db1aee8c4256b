import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { operations } from '../operations/operation-table.ts';
import { RequestRates } from '../limits/request-rates.ts';
import { type Method, type Operation, writes } from '../operations/operation.ts';
import { PostbackRoutes } from '../postbacks/postback-routes.ts';
import { serveReference } from '../reference/reference-page.ts';
import { parseFormat } from '../responses/response-format.ts';
import { apiRoot } from './api-root.ts';
import { corsOrigins, sendPreflightResponse } from './cors.ts';
import { ErrorResponder } from './error-responder.ts';
import { serveHealthCheck } from './health-check.ts';
import { RequestMetrics } from './request-metrics.ts';
import { RequestPipeline } from './request-pipeline.ts';
import { setResponseHeaders } from './response-headers.ts';
import { refuseOtherMethods } from './unknown-methods.ts';

interface ParsedPath {
  readonly suffix: string | null;
  /** The named parts of the path, such as `:id`. */
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Splits the suffix from the path. An id may contain dots, so after an id only the name of a format
 * is a suffix; after any other part it is everything after the dot.
 */
function parsePath(request: FastifyRequest): ParsedPath {
  const { suffix, ...path } = request.params as Record<string, string>;
  const [, id, format] = /^(.+)\.(json|xml|csv)$/.exec(path['id'] ?? '') ?? [];
  if (id !== undefined && format !== undefined) return { suffix: format, path: { ...path, id } };
  return { suffix: suffix ?? null, path };
}

/** Registers the routes of every operation with Fastify, each with and without a suffix. */
@Injectable()
export class OperationRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly pipeline: RequestPipeline,
    private readonly rates: RequestRates,
    private readonly postbacks: PostbackRoutes,
    private readonly errors: ErrorResponder,
    private readonly metrics: RequestMetrics,
    @Inject(apiRoot) private readonly root: string,
    @Inject(corsOrigins) private readonly origins: readonly string[] | null,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, reply, next) => {
      setResponseHeaders(request, reply, this.origins);
      try {
        this.rates.countAddress(request.ip);
      } catch (error) {
        this.errors.respond(error, reply, null);
        return;
      }
      next();
    });
    for (const [path, byMethod] of operationsByPath()) {
      // An id takes the suffix in: see parsePath.
      const suffixes = path.endsWith(':id') ? [''] : ['', '.:suffix'];
      for (const url of suffixes.map((suffix) => this.root + path + suffix)) {
        for (const method of byMethod.keys()) this.register(server, byMethod, method, url);
        refuseOtherMethods(server, this.errors, byMethod, url);
      }
    }
    this.postbacks.serve(server);
    serveReference(server, this.root);
    serveHealthCheck(server);
    server.options('/*', sendPreflightResponse);
  }

  private register(
    server: FastifyInstance,
    byMethod: ReadonlyMap<Method, Operation>,
    method: Method,
    url: string,
  ) {
    const operation = byMethod.get(method)!;
    const changes = new Map([...byMethod].filter(([each]) => each !== 'GET'));
    const handle = (request: FastifyRequest, reply: FastifyReply, bodyFault?: Error) => {
      const { suffix, path } = parsePath(request);
      const route = { operation, changes };
      return this.pipeline.handle(route, suffix, path, request, reply, bodyFault);
    };
    server.route({
      method,
      url,
      exposeHeadRoute: method === 'GET' && !writes(operation),
      onRequest: (request, reply, next) => {
        if (this.admitRequest(request, reply, operation)) next();
      },
      onResponse: (_request, reply, next) => {
        this.metrics.observeResponse(operation, reply);
        next();
      },
      handler: (request, reply) => handle(request, reply),
      // A Content-Type that is malformed.
      errorHandler: (error, request, reply) => void handle(request, reply, error),
    });
  }

  /**
   * Sheds load before any other work, then rejects an unknown suffix before the body is read
   * (contract/errors#order-of-checks). The slot is acquired when the request has arrived.
   */
  private admitRequest(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): boolean {
    try {
      this.pipeline.admit(operation, request, reply);
      const { suffix } = parsePath(request);
      if (suffix !== null) parseFormat(suffix);
      return true;
    } catch (error) {
      this.errors.respond(error, reply, operation.name);
      return false;
    }
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
