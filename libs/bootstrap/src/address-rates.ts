import { type BucketSize, TokenBuckets } from '@registrar/platform';
import { type ClientNetwork, clientNetworks } from './client-network.ts';
import type { HttpLimits } from './http-limits.ts';

/** Burst, in seconds of the rate: a page loads many files. */
const burstSeconds = 5;

/**
 * Limits the requests per second of client addresses and their networks. The buckets of addresses are apart from all
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
   * @returns how long the client is to wait with its next request: seconds; 0 for a request within
   * the limit
   */
  count(address: string): number {
    if (this.limits.trustsPeer(address, 0)) return 0;
    const networks = clientNetworks(address);
    for (const network of networks) {
      const size = this.#sizeOf(network);
      const left = this.#buckets.left(network.name, size);
      if (left < 1) return Math.max(1, Math.ceil((1 - left) / size.refillPerSecond));
    }
    for (const network of networks) this.#buckets.spend(network.name, this.#sizeOf(network), 1);
    return 0;
  }

  /** Takes back the count of a request whose client has turned out to have limits of its own. */
  uncount(address: string): void {
    for (const network of clientNetworks(address)) {
      this.#buckets.giveBack(network.name, this.#sizeOf(network), 1);
    }
  }

  #sizeOf({ size }: ClientNetwork): BucketSize {
    const refillPerSecond = size * this.limits.requestsPerSecondOfAddress;
    return { capacity: refillPerSecond * burstSeconds, refillPerSecond };
  }
}
