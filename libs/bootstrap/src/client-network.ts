import { Counts } from '@registrar/platform';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** What is known of the text of an address. */
interface ParsedAddress {
  readonly address: string | undefined;
  readonly networks: readonly ClientNetwork[];
}

/** An address or a network whose clients count together. */
export interface ClientNetwork {
  readonly name: string;
  /** How many addresses it counts as. */
  readonly size: number;
}

/**
 * The IPv6 networks that count, the largest first: one subscriber has the first 64, 56 or 48 bits for
 * themselves (RFC 6177). Larger ones count as few addresses, because they may also be those of several
 * subscribers, such as the customers of a host.
 */
const ipv6Networks = [
  { bits: 48, size: 4 },
  { bits: 56, size: 2 },
  { bits: 64, size: 1 },
];

/** Every request needs its address several times, and parsing one takes longer than finding it. */
const parsed = new LRUCache<string, ParsedAddress>({ max: 10_000, memoMethod: parse });

function parse(text: string): ParsedAddress {
  // A proxy may have passed on a text that is no address.
  if (!ipaddr.isValid(text)) return { address: undefined, networks: [{ name: text, size: 1 }] };
  // An IPv4 address that is mapped into IPv6 becomes one of IPv4.
  const processed = ipaddr.process(text);
  // Without the zone of a link-local address, which means something on this machine alone.
  const address = processed.toString().split('%', 1)[0];
  if (!(processed instanceof ipaddr.IPv6)) {
    return { address, networks: [{ name: processed.toString(), size: 1 }] };
  }
  const networks = ipv6Networks.map(({ bits, size }) => {
    const network = ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`);
    const groups = network.toNormalizedString().split(':', 4);
    return { name: `${groups.join(':')}::/${bits}`, size };
  });
  return { address, networks };
}

/**
 * The address of a client as it is passed on, logged and stored; undefined for a text that is no
 * address.
 */
export const clientAddress = (text: string): string | undefined => parsed.memo(text).address;

/** The networks that a client is in, the largest first, and last what counts as one client. */
export const clientNetworks = (address: string): readonly ClientNetwork[] =>
  parsed.memo(address).networks;

/**
 * The largest network that a client is in, in whose name it takes turns with others: a subscriber does not get more of
 * them by more addresses.
 */
export const largestNetwork = (address: string): string => clientNetworks(address)[0]!.name;

/** Something that a client holds, such as a connection. */
export interface HeldByClient {
  /** Those of the client, by {@link clientNetworks}. */
  readonly networks: readonly ClientNetwork[];
}

/** Counts what clients hold by their networks. */
export class CountsOfNetworks {
  readonly #counts = new Counts<string>();

  add({ networks }: HeldByClient, more: 1 | -1): void {
    for (const { name } of networks) this.#counts.add(name, more);
  }

  /** Whether a client or one of its networks holds so many for each address that it counts as. */
  isFull({ networks }: HeldByClient, perAddress: number): boolean {
    return networks.some(({ name, size }) => this.#counts.of(name) >= size * perAddress);
  }

  /** The first of those whose client holds the most: of the largest network the largest within it, down to one client. */
  firstOfLargest<Held extends HeldByClient>(all: Iterable<Held>): Held | undefined {
    let found: Held | undefined;
    for (const held of all) {
      if (!found || this.#compare(held, found) > 0) found = held;
    }
    return found;
  }

  /** By the largest networks, then by those within them. An IPv4 address is its only network. */
  #compare({ networks: one }: HeldByClient, { networks: other }: HeldByClient): number {
    for (let level = 0; level < Math.max(one.length, other.length); level += 1) {
      const [first, second] = [one, other].map((networks) =>
        this.#counts.of((networks[level] ?? networks.at(-1)!).name),
      );
      if (first !== second) return first! - second!;
    }
    return 0;
  }
}

/**
 * What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address. A text that is no
 * address counts as it is.
 */
export const clientNetwork = (address: string): string => clientNetworks(address).at(-1)!.name;
