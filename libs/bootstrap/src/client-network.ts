import ipaddr from 'ipaddr.js';

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
