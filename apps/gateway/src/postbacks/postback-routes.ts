import { BusClient } from '@registrar/bus';
import { bringForward, Failure, type FailureCode, id } from '@registrar/contracts';
import { type BucketSize, FairQueue, runInRequestContext, TokenBuckets } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Registry } from 'prom-client';
import * as z from 'zod';
import { DelayedRefusal } from '../access/delayed-refusal.ts';
import { GuessingGuard } from '../access/guessing-guard.ts';
import { BodyMemory } from '../bodies/body-memory.ts';
import { ErrorResponder } from '../http/error-responder.ts';
import { requestOrigin } from '../http/request-id.ts';
import { ShedRequest } from '../http/shed-request.ts';
import { OverLimit } from '../limits/over-limit.ts';
import { retryAfterSeconds } from '../responses/statuses.ts';
import { PostbackAccess, type PostbackCredentials } from './postback-access.ts';
import {
  basicCredentials,
  type Postback,
  PostbackTooLarge,
  readPostback,
  requirePostbackSize,
} from './read-postback.ts';

/** The postbacks of one provider application that one gateway takes. */
const rate: BucketSize = { capacity: 200, refillPerSecond: 100 };

/**
 * How many postbacks the crawler works on at a time, and how many wait: apart from the requests of
 * clients, and each provider application with its share.
 */
const queueLimits = {
  running: 32,
  runningOfRealm: 8,
  waiting: 256,
  waitingOfRealm: 64,
  maxWaitMs: 2_000,
};

/** How long a lookup of the secret takes at most, and the request to the crawler: milliseconds. */
const timeoutMs = 5_000;

/** The HTTP status of each failure code; 500 for others. */
const statuses: Partial<Record<FailureCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  'over-limit': 429,
  unavailable: 503,
  overloaded: 503,
  expired: 503,
};

const applicationIdText = z.string().regex(/^\d+$/).transform(Number).pipe(id);

/**
 * Takes the postbacks of course providers at `/postbacks/<provider application>`, outside of the API
 * root: the id of a registration that has changed, whose crawl is brought forward. Nothing else of a
 * postback is read or believed (docs/crawling.md#postbacks).
 */
@Injectable()
export class PostbackRoutes {
  readonly #buckets = new TokenBuckets();
  readonly #queue: FairQueue;
  readonly #postbacks: Counter<'status'>;

  constructor(
    private readonly bus: BusClient,
    private readonly access: PostbackAccess,
    private readonly guessing: GuessingGuard,
    private readonly memory: BodyMemory,
    private readonly overLimit: OverLimit,
    private readonly errors: ErrorResponder,
    registry: Registry,
  ) {
    this.#queue = new FairQueue(queueLimits, ({ cause, realmId: applicationId }) =>
      cause === 'all'
        ? new Failure('overloaded', 'too many postbacks wait')
        : this.refuseRate(applicationId),
    );
    this.#postbacks = new Counter({
      name: 'registrar_http_postbacks_total',
      help: 'Postbacks of course providers.',
      labelNames: ['status'],
      registers: [registry],
    });
  }

  serve(server: FastifyInstance): void {
    server.route({
      method: 'POST',
      url: '/postbacks/:id',
      handler: (request, reply) => this.handle(request, reply),
      // A Content-Type that is malformed.
      errorHandler: (error, _request, reply) => this.refuse(error, reply),
      onResponse: (_request, reply, next) => {
        this.#postbacks.inc({ status: reply.statusCode });
        next();
      },
    });
  }

  private async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const memory = this.memory.open(request);
    try {
      await this.take(request, reply, memory.take);
      if (!reply.sent) void reply.code(204).send();
      return reply;
    } catch (error) {
      memory.release();
      const isDelayed = error instanceof DelayedRefusal;
      const failure = isDelayed ? await this.guessing.delay(error) : error;
      // The body did not arrive in time.
      if (!reply.sent) this.refuse(failure, reply);
      return reply;
    } finally {
      memory.release();
    }
  }

  private async take(
    request: FastifyRequest,
    reply: FastifyReply,
    onBytes: (bytes: number) => void,
  ): Promise<void> {
    const origin = requestOrigin(request, reply);
    const inContext = <T>(work: () => Promise<T>) =>
      runInRequestContext({ ...origin, deadline: Date.now() + timeoutMs }, work);
    requirePostbackSize(request);
    const basic = basicCredentials(request);
    // Only the fields of a form can carry credentials that the headers do not.
    const form = basic || !isForm(request) ? null : await readPostback(request, onBytes);
    const credentials = basic ?? form?.credentials;
    const applicationId = await inContext(() => this.authenticate(request, credentials));
    this.countPostback(applicationId);
    const postback: Postback = form ?? (await readPostback(request, onBytes));
    const registrationGuid = postback.registrationGuid();
    const owner = { realmId: applicationId, key: 'postbacks' };
    await inContext(() =>
      this.#queue.run(
        owner,
        () => this.bus.request(bringForward, { applicationId, registrationGuid }),
        true,
      ),
    );
  }

  /** @returns the id of the provider application */
  private async authenticate(
    request: FastifyRequest,
    credentials: PostbackCredentials | null | undefined,
  ): Promise<number> {
    if (!credentials) throw new Failure('unauthenticated', 'the postback has no credentials');
    const { success, data } = applicationIdText.safeParse(
      (request.params as Record<string, string>)['id'],
    );
    if (!success) throw new Failure('unauthenticated', 'the path has no id of an application');
    await this.access.require(data, credentials);
    return data;
  }

  /** @throws {ShedRequest} beyond the rate of the application */
  private countPostback(applicationId: number): void {
    const account = String(applicationId);
    if (this.#buckets.left(account, rate) < 1) throw this.refuseRate(applicationId);
    this.#buckets.spend(account, rate, 1);
  }

  private refuseRate(applicationId: number): ShedRequest {
    return this.overLimit.refuse('postbacks', `application ${applicationId}`, 1);
  }

  /** Responds with a status and an empty body. */
  private refuse(error: unknown, reply: FastifyReply): void {
    const failure = isMalformedByFastify(error)
      ? new Failure('invalid', 'the Content-Type is malformed')
      : Failure.from(error);
    const { code, message: reason } = failure;
    const status = failure instanceof PostbackTooLarge ? 413 : (statuses[code] ?? 500);
    // Those are counted, and logged at an interval.
    if (!(error instanceof ShedRequest))
      this.errors.logRefused({ status, code, reason }, reply, 'postback', error);
    if (status === 401) void reply.header('www-authenticate', 'Basic realm="postbacks"');
    if (status === 429 || status === 503) {
      const seconds = failure.retryAfterSeconds ?? retryAfterSeconds[code] ?? 5;
      void reply.header('retry-after', String(seconds));
    }
    void reply.code(status).send();
  }
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '');

const isMalformedByFastify = (error: unknown): boolean =>
  (error as { statusCode?: unknown }).statusCode === 415;
