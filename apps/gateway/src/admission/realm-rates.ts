import type { AccessScope, RealmLimits } from '@registrar/contracts';
import {
  accountOf,
  type BucketSize,
  holderOf,
  SharedBuckets,
  TokenBuckets,
} from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { type GatewaySettings, gatewaySettingsToken } from '../settings.ts';
import { OverLimit } from './over-limit.ts';

/** Requests per second that one gateway takes; without a number, there is no limit. */
type RateLimits = Pick<RealmLimits, 'requestsPerSecond' | 'requestsPerSecondOfKey'>;

/** Burst, in seconds of the rate. */
export const burstSeconds = 2;

const sizeOf = (perSecond: number): BucketSize => ({
  capacity: perSecond * burstSeconds,
  refillPerSecond: perSecond,
});

/** A limit on requests per second, and the account whose requests count. */
export interface Quota extends BucketSize {
  readonly name: 'realm' | 'key';
  readonly account: string;
  /** How many requests the access may send now. */
  left(): number;
  spend(): void;
}

/**
 * Limits the requests per second of realms, and of their API keys, users and provider pairs, where an
 * operator wants that. Those of one realm share its limit, so that none of them uses it up. Each gateway
 * counts for itself.
 */
@Injectable()
export class RealmRates {
  readonly #realms = new SharedBuckets();
  readonly #keys = new TokenBuckets();
  /** Of realms that have none of their own. */
  readonly #defaults: RateLimits;

  constructor(
    private readonly overLimit: OverLimit,
    @Inject(gatewaySettingsToken) settings: GatewaySettings,
  ) {
    this.#defaults = {
      requestsPerSecond: settings.REALM_REQUESTS_PER_SECOND,
      requestsPerSecondOfKey: settings.KEY_REQUESTS_PER_SECOND,
    };
  }

  /**
   * Counts a request against its quotas, and sets the headers that say what is left
   * (contract/errors#rate-limit-headers).
   *
   * @throws {ShedRequest}
   */
  count(quotas: readonly Quota[], reply: FastifyReply): void {
    const spent = quotas.find((quota) => quota.left() < 1);
    // From all of the quotas, or from none.
    if (!spent) for (const quota of quotas) quota.spend();
    this.#setHeaders(quotas, reply);
    if (!spent) return;
    const seconds = Math.ceil((1 - spent.left()) / spent.refillPerSecond);
    throw this.overLimit.refuse(spent.name, spent.account, Math.max(1, seconds));
  }

  /** The quotas of a realm, and of its key or provider pair; none without a limit. */
  quotasOf(scope: AccessScope): Quota[] {
    const limits: RateLimits = { ...this.#defaults, ...scope.limits };
    const { requestsPerSecond: ofRealm, requestsPerSecondOfKey: ofKey } = limits;
    const quotas: Quota[] = [];
    if (ofRealm !== undefined) {
      const [size, holder] = [sizeOf(ofRealm), holderOf(scope)];
      quotas.push({
        ...size,
        name: 'realm',
        account: accountOf.realm(scope),
        left: () => this.#realms.leftFor(holder, size),
        spend: () => this.#realms.spend(holder),
      });
    }
    const account = accountOf.key(scope);
    if (ofKey !== undefined && account !== null) {
      const size = sizeOf(ofKey);
      quotas.push({
        ...size,
        name: 'key',
        account,
        left: () => this.#keys.left(account, size),
        spend: () => this.#keys.spend(account, size, 1),
      });
    }
    return quotas;
  }

  #setHeaders(quotas: readonly Quota[], reply: FastifyReply): void {
    const policies = quotas.map(
      ({ name, capacity }) => `"${name}";q=${capacity};w=${burstSeconds}`,
    );
    const states = quotas.map((quota) => {
      const left = Math.max(0, quota.left());
      const refilledIn = Math.ceil((quota.capacity - left) / quota.refillPerSecond);
      return `"${quota.name}";r=${Math.floor(left)};t=${refilledIn}`;
    });
    void reply.header('ratelimit-policy', policies.join(', '));
    void reply.header('ratelimit', states.join(', '));
  }
}
