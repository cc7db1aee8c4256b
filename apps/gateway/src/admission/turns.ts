import { BusClient } from '@registrar/bus';
import {
  createRegistration,
  type ListContract,
  type Page,
  type PageRequest,
  recrawlRegistrations,
  type RequestContract,
} from '@registrar/contracts';
import {
  type Account,
  accountOf,
  FairQueue,
  type FairQueueLimits,
  type Owner,
  type Rejection,
} from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Gauge, Registry } from 'prom-client';
import type { Access } from '../access/access-resolver.ts';
import { OverLimit } from './over-limit.ts';
import { Slots } from './slots.ts';

/**
 * How many requests of one gateway the contexts work on at a time: enough to keep two replicas of
 * every context busy, each of which works on 64. What is more waits here and not in the queues of the
 * contexts, which are first come, first served. A realm alone has about half, which keep all processors busy. A request
 * whose replica is frozen hangs for longer than its operation takes, so it gives its place back.
 */
const queueLimits: FairQueueLimits = {
  running: 128,
  runningOfRealm: 'fewer than are free',
  hanging: 32,
  waiting: 256,
  waitingOfRealm: 128,
  maxWaitMs: 2_000,
};

/**
 * How many requests of one realm the contexts work on that cost much more than others: a create takes several
 * transactions and calls its provider, a crawl calls it up to 100 times, the first page of a list may have 128 KiB, and
 * later pages, of which a list has any number, four times as many. With as many as of other requests, one realm would
 * fill the processors and database connections that all share. A first page is only known to be long when it is there,
 * so `longList` is a first page for a realm that has read a list of several pages of late. A realm that is alone has
 * limits too, because its running pages delay the next realm's requests: 16 and 8 keep the processors busy. Of creates no
 * more wait than get their turn within the longest wait on a small machine: the others are refused at once.
 */
const costly = {
  create: { running: 16, besideLighter: { others: 'realms', running: 4 }, waiting: 64 },
  crawl: { running: 4, besideLighter: { others: 'realms', running: 1, rest: 2 }, waiting: 32 },
  list: { running: 16, besideLighter: { others: 'realms', running: 4 }, waiting: 128 },
  longList: { running: 8, besideLighter: { others: 'realms', running: 1, rest: 4 }, waiting: 128 },
  page: { running: 2, besideLighter: { others: 'realms', running: 1, rest: 4 }, waiting: Infinity },
} satisfies Readonly<Record<string, Omit<Account, 'name'>>>;

type Cost = keyof typeof costly;

/** Realms that have read long lists, for so long: the newest ones. */
const longListRealms = { max: 1_000, ttl: 60_000 };

/** The most records of a page, asked for alone, that counts as the first page of a list: it has about as many bytes. */
const maxShortLimit = 100;

/** How many requests of one user the contexts work on: of all their keys, which are those of one person. */
const ofUser: Omit<Account, 'name'> = {
  running: 8,
  besideLighter: { others: 'keys', running: 1, rest: 3 },
  waiting: 48,
};

/** When a request should be repeated that found too many waiting: seconds. */
const retryAfterSeconds = 1;

/** Lets the requests of realms to the contexts take turns, and within a realm those of its keys and users. */
@Injectable()
export class Turns {
  readonly #queue: FairQueue;
  readonly #longListRealms = new LRUCache<number, true>(longListRealms);

  constructor(
    private readonly bus: BusClient,
    private readonly overLimit: OverLimit,
    slots: Slots,
    registry: Registry,
  ) {
    const refuse = ({ cause, realmId }: Rejection) => {
      if (cause === 'hanging') return slots.shed('request', 'requests hang at a frozen replica');
      return cause === 'all'
        ? slots.shed('request')
        : this.overLimit.refuse('in-hand', accountOf.realm({ realmId }), retryAfterSeconds);
    };
    const queue = new FairQueue(queueLimits, refuse);
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

  /**
   * The bus as one request of an access uses it: each of its requests to a context waits for its turn.
   * The first one may be rejected because too many wait. After it the request may have taken effect,
   * or a part of its response may have been sent, so that all others wait until their deadline.
   *
   * @param hasBegun whether the first one must not be rejected either
   * @throws {ShedRequest} if the first one would be rejected on its arrival
   */
  busFor(access: Access, hasBegun = false): BusClient {
    if (!hasBegun) this.#queue.requireRoom(access.holder);
    return new TurnTakingClient(this.bus, this, access, hasBegun);
  }

  /**
   * Does the work for a request to a context when it is the turn of its access.
   *
   * @param isOptional whether the work may be rejected because too much waits
   */
  async take(
    { scope, holder }: Access,
    contract: AnyRequestContract,
    input: unknown,
    work: (hang: () => void) => Promise<unknown>,
    isOptional: boolean,
  ): Promise<unknown> {
    const { weight, requestsInHand: running } = scope.limits ?? {};
    const cost = this.costOf(scope.realmId, contract, input);
    const accounts = [
      ...(cost ? [{ name: `${cost} of ${scope.realmId}`, ...costly[cost] }] : []),
      ...(scope.user ? [{ name: holder.key, ...ofUser }] : []),
    ];
    const owner: Owner = { ...holder, weight, running, accounts };
    const reply = await this.#queue.run(owner, work, isOptional);
    const { alone = false } = input as Partial<PageRequest>;
    if (contract.kind === 'list' && !alone && (reply as Page<unknown>).next !== null) {
      this.#longListRealms.set(scope.realmId, true);
    }
    return reply;
  }

  /** Which of {@link costly} a request is. */
  private costOf(realmId: number, contract: AnyRequestContract, input: unknown): Cost | null {
    if (contract.kind === 'list') {
      const { cursor, alone, limit } = input as PageRequest;
      if (alone ? limit > maxShortLimit : cursor !== null) return 'page';
      return this.#longListRealms.has(realmId) ? 'longList' : 'list';
    }
    if (contract.name === createRegistration.name) return 'create';
    return contract.name === recrawlRegistrations.name ? 'crawl' : null;
  }
}

type AnyRequestContract = RequestContract | ListContract;

/** A client whose requests take turns with those of other realms. */
class TurnTakingClient extends BusClient {
  constructor(
    private readonly client: BusClient,
    private readonly turns: Turns,
    private readonly access: Access,
    private hasBegun: boolean,
  ) {
    super();
  }

  exchange(contract: AnyRequestContract, input: unknown): Promise<unknown> {
    const begin = (hang: () => void) => {
      this.hasBegun = true;
      return this.client.exchange(contract, input, hang);
    };
    return this.turns.take(this.access, contract, input, begin, !this.hasBegun);
  }
}
