import { TokenBuckets } from '@registrar/platform';
import { clientNetwork } from './client-network.ts';
import type { HttpLimits } from './http-limits.ts';

/** The requests of so many seconds may come at once: a page loads many files. */
const burstSeconds = 5;

/**
 * Limits the requests per second of client addresses. The buckets of addresses are apart from all
 * others, so that requests from very many addresses make nothing else be forgotten.
 */
export class AddressRates {
  readonly #buckets = new TokenBuckets();

  constructor(
    private readonly limits: Pick<HttpLimits, 'requestsPerSecondOfAddress' | 'trustsPeer'>,
  ) {}

  /**
   * Counts a request of an address. The address of a trusted proxy stands for many clients and has
   * no limit.
   *
   * @param share this process's part of the limit: above 0, at most 1
   * @returns how long the client is to wait with its next request: seconds; 0 for a request within
   * the limit
   */
  count(address: string, share = 1): number {
    if (this.limits.trustsPeer(address, 0)) return 0;
    const account = clientNetwork(address);
    const refillPerSecond = this.limits.requestsPerSecondOfAddress * share;
    const size = { capacity: Math.max(1, refillPerSecond * burstSeconds), refillPerSecond };
    const left = this.#buckets.left(account, size);
    if (left < 1) return Math.max(1, Math.ceil((1 - left) / refillPerSecond));
    this.#buckets.spend(account, size, 1);
    return 0;
  }
}
