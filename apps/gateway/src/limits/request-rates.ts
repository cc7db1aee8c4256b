import { AddressRates, clientNetwork } from '@registrar/bootstrap';
import type { AccessScope } from '@registrar/contracts';
import { type BucketSize, TokenBuckets } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { accountOf } from './accounts.ts';
import { burstSeconds, type DefaultLimits, defaultLimits, limitsOf } from './default-limits.ts';
import { OverLimit } from './over-limit.ts';
import { SharedDemand } from './shared-demand.ts';

/** A limit on requests per second, and the account whose requests count. */
interface Quota {
  readonly name: 'realm' | 'key';
  readonly account: string;
  readonly perSecond: number;
}

/** Limits the requests per second of addresses, realms, API keys and provider pairs. */
@Injectable()
export class RequestRates {
  readonly #buckets = new TokenBuckets();

  constructor(
    private readonly demand: SharedDemand,
    private readonly overLimit: OverLimit,
    private readonly addresses: AddressRates,
    @Inject(defaultLimits) private readonly defaults: DefaultLimits,
  ) {}

  /**
   * Counts a request of an address, before anything else is known of it.
   *
   * @throws {ShedRequest}
   */
  countAddress(address: string): void {
    const account = accountOf.address(clientNetwork(address));
    this.demand.count(account);
    const waitSeconds = this.addresses.count(address, this.demand.shareOf(account));
    if (waitSeconds > 0) throw this.overLimit.refuse('address', account, waitSeconds);
  }

  /**
   * Counts a request of a realm and its key or provider pair, and sets the headers that say what is left
   * (contract/errors#rate-limit-headers).
   *
   * @throws {ShedRequest}
   */
  countAccess(scope: AccessScope, reply: FastifyReply): void {
    const quotas = this.#quotasOf(scope);
    try {
      this.#spend(quotas);
    } finally {
      this.#setHeaders(quotas, reply);
    }
  }

  /**
   * Rejects a request of an access that has nothing left, before its body is read. Other requests are
   * not counted yet.
   *
   * @throws {ShedRequest}
   */
  requireLeft(scope: AccessScope, reply: FastifyReply): void {
    const quotas = this.#quotasOf(scope);
    if (quotas.every((quota) => this.#left(quota) >= 1)) return;
    this.countAccess(scope, reply);
  }

  #quotasOf(scope: AccessScope): Quota[] {
    const limits = limitsOf(scope, this.defaults);
    const realm = accountOf.realm(scope);
    const quotas: Quota[] = [
      { name: 'realm', account: realm, perSecond: limits.requestsPerSecond },
    ];
    const account = accountOf.key(scope);
    if (account !== null) {
      quotas.push({ name: 'key', account, perSecond: limits.requestsPerSecondOfKey });
    }
    return quotas;
  }

  /** Spends from all of the quotas, or from none. */
  #spend(quotas: readonly Quota[]): void {
    for (const { account } of quotas) this.demand.count(account);
    const spent = quotas.find((quota) => this.#left(quota) < 1);
    if (spent) {
      const { refillPerSecond } = this.#sizeOf(spent);
      const seconds = Math.ceil((1 - this.#left(spent)) / refillPerSecond);
      throw this.overLimit.refuse(spent.name, spent.account, Math.max(1, seconds));
    }
    for (const quota of quotas) this.#buckets.spend(quota.account, this.#sizeOf(quota), 1);
  }

  #setHeaders(quotas: readonly Quota[], reply: FastifyReply): void {
    const policies = quotas.map(
      ({ name, perSecond }) => `"${name}";q=${perSecond * burstSeconds};w=${burstSeconds}`,
    );
    const states = quotas.map((quota) => {
      const { capacity, refillPerSecond } = this.#sizeOf(quota);
      const left = Math.max(0, this.#left(quota));
      return `"${quota.name}";r=${Math.floor(left)};t=${Math.ceil((capacity - left) / refillPerSecond)}`;
    });
    void reply.header('ratelimit-policy', policies.join(', '));
    void reply.header('ratelimit', states.join(', '));
  }

  #left(quota: Quota): number {
    return this.#buckets.left(quota.account, this.#sizeOf(quota));
  }

  /** This gateway's part of a quota. */
  #sizeOf({ account, perSecond }: Quota): BucketSize {
    const refillPerSecond = perSecond * this.demand.shareOf(account);
    return { capacity: Math.max(1, refillPerSecond * burstSeconds), refillPerSecond };
  }
}
