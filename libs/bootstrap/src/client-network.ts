import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** What is known of the text of an address. */
interface ParsedAddress {
  readonly address: string | undefined;
  readonly network: string;
}

/** Every request needs its address several times, and parsing one takes longer than finding it. */
const parsed = new LRUCache<string, ParsedAddress>({ max: 10_000, memoMethod: parse });

function parse(text: string): ParsedAddress {
  // A proxy may have passed on a text that is no address.
  if (!ipaddr.isValid(text)) return { address: undefined, network: text };
  // An IPv4 address that is mapped into IPv6 becomes one of IPv4.
  const processed = ipaddr.process(text);
  // Without the zone of a link-local address, which means something on this machine alone.
  const address = processed.toString().split('%', 1)[0];
  if (!(processed instanceof ipaddr.IPv6)) return { address, network: processed.toString() };
  const groups = processed.parts.slice(0, 4).map((group) => group.toString(16));
  return { address, network: `${groups.join(':')}::/64` };
}

/**
 * The address of a client as it is passed on, logged and stored; undefined for a text that is no
 * address.
 */
export const clientAddress = (text: string): string | undefined => parsed.memo(text).address;

/**
 * What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because one
 * subscriber has them all (RFC 6177). A text that is no address counts as it is.
 */
export const clientNetwork = (address: string): string => parsed.memo(address).network;
