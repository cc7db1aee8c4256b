import { BusClient } from '@registrar/bus';
import type { AccessScope, ListContract, RequestContract } from '@registrar/contracts';
import { FairQueue, type FairQueueLimits, type Owner } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { ConcurrencyLimiter } from '../http/concurrency-limiter.ts';
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

/** When a request should be repeated that found too many waiting: seconds. */
const retryAfterSeconds = 1;

/** Lets the requests of realms to the contexts take turns. */
@Injectable()
export class RequestTurns {
  readonly #queue: FairQueue;

  constructor(
    private readonly bus: BusClient,
    private readonly demand: SharedDemand,
    private readonly overLimit: OverLimit,
    private readonly limiter: ConcurrencyLimiter,
    registry: Registry,
    @Inject(defaultLimits) private readonly defaults: DefaultLimits,
  ) {
    const limits = { ...queueLimits, runningOfRealm: defaults.requestsInHand };
    const queue = new FairQueue(limits, ({ cause, realmId }) =>
      cause === 'all'
        ? this.limiter.shed('request')
        : this.overLimit.refuse('in-hand', accountOf.realm({ realmId }), retryAfterSeconds),
    );
    this.#queue = queue;
    new Gauge({
      name: 'registrar_http_waiting',
      help: 'Requests to contexts that wait for their turn.',
      registers: [registry],
      collect() {
        this.set(queue.waiting);
      },
    });
  }

  /** @throws {LimitReached} when too many requests of the realm wait for one more to be of use */
  requirePlace({ realmId }: AccessScope): void {
    if (!this.#queue.isFullFor(realmId)) return;
    throw this.overLimit.refuse('in-hand', accountOf.realm({ realmId }), retryAfterSeconds);
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
      running: Math.max(1, Math.round(requestsInHand * share)),
    };
    return new TurnTakingClient(this.bus, this.#queue, owner, hasBegun);
  }
}

/** A client whose requests take turns with those of other realms. */
class TurnTakingClient extends BusClient {
  constructor(
    private readonly client: BusClient,
    private readonly queue: FairQueue,
    private readonly owner: Owner,
    private hasBegun: boolean,
  ) {
    super();
  }

  send(contract: RequestContract | ListContract, input: unknown): Promise<unknown> {
    const begin = () => {
      this.hasBegun = true;
      return this.client.send(contract, input);
    };
    return this.queue.run(this.owner, begin, !this.hasBegun);
  }
}
