import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasApiKey } from '../access/access-mode.ts';
import { operations } from '../operations/operation-table.ts';
import type { Method, Operation } from '../operations/operation.ts';
import { ParameterCollection } from '../parameters/request-parameters.ts';
import { serveReference } from '../reference/reference-page.ts';
import { parseFormat } from '../responses/response-format.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { corsOrigins, sendPreflightResponse, setAllowedOrigin } from './cors.ts';
import { ErrorResponder } from './error-responder.ts';
import { assignRequestId } from './request-id.ts';
import { RequestMetrics } from './request-metrics.ts';
import { RequestPipeline } from './request-pipeline.ts';

/** Injection token of the setting API_ROOT (contract/formats#api-root). */
export const apiRoot = Symbol('API root');

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

/** Some clients send a Content-Type with every request; Fastify would try to parse a body. */
function dropContentTypeWithoutBody({ headers }: FastifyRequest): void {
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) delete headers['content-type'];
}

/** Registers the routes of every operation with Fastify, each with and without a suffix. */
@Injectable()
export class OperationRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly limiter: ConcurrencyLimiter,
    private readonly pipeline: RequestPipeline,
    private readonly errors: ErrorResponder,
    private readonly metrics: RequestMetrics,
    @Inject(apiRoot) private readonly root: string,
    @Inject(corsOrigins) private readonly origins: readonly string[] | null,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, reply, next) => {
      assignRequestId(request, reply);
      void reply.header('x-content-type-options', 'nosniff');
      dropContentTypeWithoutBody(request);
      next();
    });
    for (const operation of operations) {
      for (const { method, path } of operation.routes) {
        // An id takes the suffix in: see parsePath.
        const suffixes = path.endsWith(':id') ? [''] : ['', '.:suffix'];
        for (const suffix of suffixes) {
          this.register(server, operation, method, this.root + path + suffix);
        }
      }
    }
    serveReference(server, this.root);
    server.options(`${this.root}/*`, (request, reply) => {
      sendPreflightResponse(request, reply, this.origins);
    });
  }

  private register(server: FastifyInstance, operation: Operation, method: Method, url: string) {
    server.route({
      method,
      url,
      onRequest: (request, reply, next) => {
        if (this.admitRequest(request, reply, operation)) next();
      },
      onResponse: (_request, reply, next) => {
        this.metrics.observeResponse(operation.name, reply);
        next();
      },
      handler: (request, reply) => {
        const { suffix, path } = parsePath(request);
        const work = this.pipeline.handle(operation, suffix, path, request, reply);
        return this.limiter.holdSlotDuring(request, work);
      },
    });
  }

  /**
   * Sheds load before any other work, then rejects an unknown suffix before the body is read
   * (contract/errors#order-of-checks). Sets the CORS header first, so that a page can read the status
   * of both, and of a body that Fastify rejects.
   */
  private admitRequest(
    request: FastifyRequest,
    reply: FastifyReply,
    operation: Operation,
  ): boolean {
    try {
      const query = new ParameterCollection();
      query.addForm(request.query);
      if (hasApiKey(query)) setAllowedOrigin(request, reply, this.origins);
      if (!this.limiter.acquireSlot(operation, request, reply)) {
        this.errors.respondOverloaded(reply);
        return false;
      }
      const { suffix } = parsePath(request);
      if (suffix !== null) parseFormat(suffix);
      return true;
    } catch (error) {
      this.errors.respond(error, reply, operation.name);
      return false;
    }
  }
}
