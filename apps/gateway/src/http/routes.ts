import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { presentsApiKey } from '../access/access-mode.ts';
import { parseFormat } from '../answers/response-format.ts';
import { operations } from '../operations/all-operations.ts';
import type { Operation } from '../operations/operation.ts';
import { ParameterCollection } from '../parameters/given-parameters.ts';
import { serveReference } from '../reference/reference-page.ts';
import { Admission } from './admission.ts';
import { AnswerRequest } from './answer-request.ts';
import { allowedOrigins, allowOrigin, answerPreflight } from './cross-origin.ts';
import { Refusals } from './refusals.ts';
import { RequestMetrics } from './request-metrics.ts';
import { nameRequest } from './request-id.ts';

/** Where the API begins, by injection (decision 1). */
export const apiRoot = Symbol('api root');

/** The suffix and the named parts of a request's path. */
interface ParsedPath {
  readonly suffix: string | null;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Where a path ends with an id, which may hold dots itself, only the name of a format is a suffix;
 * elsewhere everything after the dot is.
 */
function parsePath(request: FastifyRequest): ParsedPath {
  const { suffix, ...path } = request.params as Record<string, string>;
  const [, id, format] = /^(.+)\.(json|xml|csv)$/.exec(path['id'] ?? '') ?? [];
  if (id !== undefined && format !== undefined) return { suffix: format, path: { ...path, id } };
  return { suffix: suffix ?? null, path };
}

/** Some clients name the type of a body with every request, also of those that have none. */
function forgetTypeOfNoBody({ headers }: FastifyRequest): void {
  const hasBody = 'transfer-encoding' in headers || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) delete headers['content-type'];
}

/** Gives every operation its paths, each with and without a suffix. */
@Injectable()
export class Routes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly admission: Admission,
    private readonly answerRequest: AnswerRequest,
    private readonly refusals: Refusals,
    private readonly metrics: RequestMetrics,
    @Inject(apiRoot) private readonly root: string,
    @Inject(allowedOrigins) private readonly origins: readonly string[] | null,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onRequest', (request, reply, next) => {
      nameRequest(request, reply);
      void reply.header('x-content-type-options', 'nosniff');
      forgetTypeOfNoBody(request);
      next();
    });
    for (const operation of operations) {
      for (const { method, path } of operation.routes) {
        const suffixes = path.endsWith(':id') ? [''] : ['', '.:suffix'];
        for (const suffix of suffixes) {
          server.route({
            method,
            url: this.root + path + suffix,
            onRequest: (request, reply, next) => {
              if (this.begins(request, reply, operation)) next();
            },
            onResponse: (_request, reply, next) => {
              this.metrics.answered(operation.name, reply);
              next();
            },
            handler: (request, reply) => {
              const { suffix, path } = parsePath(request);
              const work = this.answerRequest.answer(operation, suffix, path, request, reply);
              return this.admission.during(request, work);
            },
          });
        }
      }
    }
    serveReference(server, this.root);
    server.options(`${this.root}/*`, (request, reply) => {
      answerPreflight(request, reply, this.origins);
    });
  }

  /**
   * What there is no place for is turned away first; then an unknown suffix is the first thing to
   * be refused, before the body is read (decision 2). A page may read all that, and what becomes
   * of a body that cannot be read.
   */
  private begins(request: FastifyRequest, reply: FastifyReply, operation: Operation): boolean {
    try {
      const query = new ParameterCollection();
      query.takeForm(request.query);
      if (presentsApiKey(query)) allowOrigin(request, reply, this.origins);
      if (!this.admission.admits(operation, request, reply)) {
        this.refusals.shed(reply);
        return false;
      }
      const { suffix } = parsePath(request);
      if (suffix !== null) parseFormat(suffix);
      return true;
    } catch (error) {
      this.refusals.answer(error, reply, operation.name);
      return false;
    }
  }
}
