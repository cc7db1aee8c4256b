import ipaddr from 'ipaddr.js';

/**
 * The address of a client as it is passed on, logged and stored; undefined for a text that is no
 * address, which a proxy may have passed on.
 */
export function clientAddress(text: string): string | undefined {
  if (!ipaddr.isValid(text)) return undefined;
  // Without the zone of a link-local address, which means something on this machine alone.
  return ipaddr.process(text).toString().split('%', 1)[0];
}

/**
 * What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because one
 * subscriber has them all (RFC 6177).
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // An IPv4 address that is mapped into IPv6 becomes one of IPv4.
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  const groups = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
