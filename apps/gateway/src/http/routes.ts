import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseFormat } from '../answers/response-format.ts';
import { operations } from '../operations/all-operations.ts';
import type { Operation } from '../operations/operation.ts';
import { AnswerRequest } from './answer-request.ts';
import { allowedOrigins, answerPreflight } from './cross-origin.ts';
import { Refusals } from './refusals.ts';

/** Where the API begins, by injection (decision 1). */
export const apiRoot = Symbol('api root');

const suffixOf = (request: FastifyRequest) =>
  (request.params as { suffix?: string }).suffix ?? null;

/** Gives every operation its paths, each with and without a suffix. */
@Injectable()
export class Routes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly answerRequest: AnswerRequest,
    private readonly refusals: Refusals,
    @Inject(apiRoot) private readonly root: string,
    @Inject(allowedOrigins) private readonly origins: readonly string[] | null,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    for (const operation of operations) {
      for (const { method, path } of operation.routes) {
        for (const suffix of ['', '.:suffix']) {
          server.route({
            method,
            url: this.root + path + suffix,
            onRequest: (request, reply, next) => {
              if (this.hasFormat(request, reply, operation)) next();
            },
            handler: (request, reply) =>
              this.answerRequest.answer(operation, suffixOf(request), request, reply),
          });
        }
      }
    }
    server.options(`${this.root}/*`, (request, reply) => {
      answerPreflight(request, reply, this.origins);
    });
  }

  /** An unknown suffix is the first thing to be refused, before the body is read (decision 2). */
  private hasFormat(request: FastifyRequest, reply: FastifyReply, operation: Operation): boolean {
    try {
      const suffix = suffixOf(request);
      if (suffix !== null) parseFormat(suffix);
      return true;
    } catch (error) {
      this.refusals.answer(error, reply, operation.name);
      return false;
    }
  }
}
