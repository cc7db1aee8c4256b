import { BusClient } from '@registrar/bus';
import { type BodyOwner, UnreadableBody } from '@registrar/bootstrap';
import { bringForward, Failure, type FailureCode, id } from '@registrar/contracts';
import {
  type BucketSize,
  clock,
  FairQueue,
  runInRequestContext,
  TokenBuckets,
} from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, Registry } from 'prom-client';
import * as z from 'zod';
import { DelayedRefusal, GuessingGuard } from '../admission/guessing-guard.ts';
import { OverLimit, ShedRequest } from '../admission/over-limit.ts';
import { ErrorResponder } from '../http/error-responder.ts';
import type { RouteConfig } from '../http/operation-routes.ts';
import { requestOrigin } from '../http/response-headers.ts';
import { retryAfterSeconds } from '../responses/statuses.ts';
import { PostbackAccess, type PostbackCredentials } from './postback-access.ts';
import { basicCredentials, readPostback } from './read-postback.ts';

const path = '/postbacks/:id';

/** No page sends postbacks. */
const config: RouteConfig = { origins: [] };

/** The postbacks of one provider application that one gateway takes. */
const rate: BucketSize = { capacity: 200, refillPerSecond: 100 };

/**
 * How many postbacks the crawler works on at a time, and how many wait: apart from the requests of
 * clients, and each provider application with its share, which is enough for its rate: one takes some milliseconds.
 */
const queueLimits = {
  running: 32,
  runningOfRealm: 4,
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
    // Without the headers that permit a page to send postbacks.
    server.options(path, { config }, (_request, reply) => reply.code(204).send());
    server.route({
      method: 'POST',
      url: path,
      config,
      handler: (request, reply) => this.handle(request, reply),
      // A body that cannot be read.
      errorHandler: (error, request, reply) => void this.handle(request, reply, error),
      onResponse: (_request, reply, next) => {
        this.#postbacks.inc({ status: reply.statusCode });
        next();
      },
    });
  }

  /**
   * Checks the credentials in the headers of a request, before its body is read.
   *
   * @returns whose body it is; null without credentials, which a form may contain
   * @throws {Failure} `unauthenticated`
   */
  async checkAccess(request: FastifyRequest): Promise<BodyOwner | null> {
    const basic = basicCredentials(request);
    if (!basic) return null;
    const id = await this.inContext(request, () => this.authenticate(request, basic));
    // The realm is not known, and none has a negative id.
    return { realmId: -id, key: 'postbacks' };
  }

  private async handle(
    request: FastifyRequest,
    reply: FastifyReply,
    bodyFault?: Error,
  ): Promise<FastifyReply> {
    try {
      await this.take(request, bodyFault);
      if (!reply.sent) void reply.code(204).send();
      return reply;
    } catch (error) {
      const isDelayed = error instanceof DelayedRefusal;
      const failure = isDelayed ? await this.guessing.delay(error) : error;
      // The body did not arrive in time.
      if (!reply.sent) this.refuse(failure, reply);
      return reply;
    }
  }

  private async take(request: FastifyRequest, bodyFault: Error | undefined): Promise<void> {
    if (bodyFault && (isTooLarge(bodyFault) || Failure.from(bodyFault).code !== 'invalid')) {
      throw bodyFault;
    }
    const postback = bodyFault ? null : readPostback(request);
    const credentials = basicCredentials(request) ?? postback?.credentials;
    const applicationId = await this.inContext(request, () =>
      this.authenticate(request, credentials),
    );
    this.countPostback(applicationId);
    if (bodyFault) throw bodyFault;
    const registrationGuid = postback!.registrationGuid();
    const owner = { realmId: applicationId, key: 'postbacks' };
    await this.inContext(request, () =>
      this.#queue.run(
        owner,
        () => this.bus.request(bringForward, { applicationId, registrationGuid }),
        true,
      ),
    );
  }

  private inContext<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const origin = requestOrigin(request);
    return runInRequestContext({ ...origin, deadline: clock.now() + timeoutMs }, work);
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
    const status = isTooLarge(failure) ? 413 : (statuses[code] ?? 500);
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

const isTooLarge = (error: unknown): boolean =>
  error instanceof UnreadableBody && error.status === 413;

/** Whether a request is a postback. */
export const isPostback = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url === path;

const isMalformedByFastify = (error: unknown): boolean =>
  (error as { statusCode?: unknown }).statusCode === 415;
