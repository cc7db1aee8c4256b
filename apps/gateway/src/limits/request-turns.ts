import { BusClient } from '@registrar/bus';
import type { AccessScope, ListContract, PageRequest, RequestContract } from '@registrar/contracts';
import { FairQueue, type FairQueueLimits, type Owner, type Rejection } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ConcurrencyLimiter } from '../http/concurrency-limiter.ts';
import { ShedRequest } from '../http/shed-request.ts';
import { accountOf } from './accounts.ts';
import { type DefaultLimits, defaultLimits, limitsOf } from './default-limits.ts';
import { OverLimit } from './over-limit.ts';
import { SharedDemand } from './shared-demand.ts';

/**
 * How many requests of one gateway the contexts work on at a time: enough to keep two replicas of
 * every context busy, each of which works on 64. What is more waits here and not in the queues of the
 * contexts, which are first come, first served.
 */
const queueLimits: Omit<FairQueueLimits, 'runningOfRealm'> = {
  running: 128,
  waiting: 192,
  waitingOfRealm: 96,
  maxWaitMs: 2_000,
};

/**
 * How many later pages of lists the contexts work on at a time, in all and for one realm: a page is the
 * largest piece of work that a client can ask for, and a list has any number of them.
 */
const laterPageLimits: FairQueueLimits = {
  ...queueLimits,
  running: 32,
  runningOfRealm: 2,
};

/** When a request should be repeated that found too many waiting: seconds. */
const retryAfterSeconds = 1;

/** Lets the requests of realms to the contexts take turns. */
@Injectable()
export class RequestTurns {
  readonly #queue: FairQueue;
  readonly #laterPages: FairQueue;

  constructor(
    private readonly bus: BusClient,
    private readonly demand: SharedDemand,
    private readonly overLimit: OverLimit,
    private readonly limiter: ConcurrencyLimiter,
    registry: Registry,
    @Inject(defaultLimits) private readonly defaults: DefaultLimits,
  ) {
    const limits = { ...queueLimits, runningOfRealm: defaults.requestsInHand };
    const refuse = ({ cause, realmId }: Rejection) =>
      cause === 'all' ? this.limiter.shed('request') : this.refuse(realmId);
    const queue = new FairQueue(limits, refuse);
    const laterPages = new FairQueue(laterPageLimits, refuse);
    this.#queue = queue;
    this.#laterPages = laterPages;
    new Gauge({
      name: 'registrar_http_waiting',
      help: 'Requests to contexts that wait for their turn.',
      registers: [registry],
      collect() {
        this.set(queue.waiting + laterPages.waiting);
      },
    });
  }

  /** @throws {ShedRequest} when too many requests of the realm wait for one more to be of use */
  requirePlace({ realmId }: AccessScope): void {
    if (!this.#queue.isFullFor(realmId)) return;
    throw this.refuse(realmId);
  }

  /**
   * The bus as one request of an access uses it: each of its requests to a context waits for its turn.
   * The first one may be rejected because too many wait. After it the request may have taken effect,
   * or a part of its response may have been sent, so that all others wait until their deadline.
   *
   * @param hasBegun whether the first one must not be rejected either
   */
  busFor(scope: AccessScope, hasBegun = false): BusClient {
    const { weight, requestsInHand } = limitsOf(scope, this.defaults);
    const realm = accountOf.realm(scope);
    const share = this.demand.shareOf(realm);
    const owner: Owner = {
      realmId: scope.realmId,
      key: accountOf.key(scope) ?? realm,
      weight,
    };
    const running = Math.max(1, Math.round(requestsInHand * share));
    const turns: Turns = {
      run: (work, isOptional) => this.#queue.run({ ...owner, running }, work, isOptional),
      runLaterPage: (work) => this.#laterPages.run(owner, work, false),
    };
    return new TurnTakingClient(this.bus, turns, hasBegun);
  }

  private refuse(realmId: number): ShedRequest {
    return this.overLimit.refuse('in-hand', accountOf.realm({ realmId }), retryAfterSeconds);
  }
}

/** How the requests of one access take turns with those of others. */
interface Turns {
  /** @param isOptional whether the work may be rejected because too much waits */
  run<T>(work: () => Promise<T>, isOptional: boolean): Promise<T>;
  runLaterPage<T>(work: () => Promise<T>): Promise<T>;
}

/** A client whose requests take turns with those of other realms. */
class TurnTakingClient extends BusClient {
  constructor(
    private readonly client: BusClient,
    private readonly turns: Turns,
    private hasBegun: boolean,
  ) {
    super();
  }

  send(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    const begin = () => {
      this.hasBegun = true;
      return this.client.send(contract, input);
    };
    return isLaterPage(contract, input)
      ? this.turns.runLaterPage(begin)
      : this.turns.run(begin, !this.hasBegun);
  }
}

const isLaterPage = ({ kind }: RequestContract | ListContract, input: unknown): boolean =>
  kind === 'list' && (input as PageRequest).cursor !== null;
