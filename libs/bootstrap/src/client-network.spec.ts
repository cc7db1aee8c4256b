import { describe, expect, it } from 'vitest';
import { clientAddress, clientNetwork, clientNetworks, largestNetwork } from './client-network.ts';

describe('the address of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:0DB8:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown', undefined],
    ['192.0.2.1:443', undefined],
  ])('%s is passed on as %s', (text, address) => {
    expect(clientAddress(text)).toBe(address);
  });
});

describe('the network of a client', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:7f00:1', '127.0.0.1'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:0DB8:0:1:ffff::2', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('The network of %s is %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('An IPv6 address is in networks of 48, 56 and 64 bits, and an IPv4 address in its own alone', () => {
    expect(clientNetworks('2001:db8:1:abcd::1')).toEqual([
      { name: '2001:db8:1:0::/48', size: 4 },
      { name: '2001:db8:1:ab00::/56', size: 2 },
      { name: '2001:db8:1:abcd::/64', size: 1 },
    ]);
    expect(clientNetworks('192.0.2.1')).toEqual([{ name: '192.0.2.1', size: 1 }]);
    expect(largestNetwork('2001:db8:1:abcd::1')).toBe('2001:db8:1:0::/48');
    expect(largestNetwork('192.0.2.1')).toBe('192.0.2.1');
  });
});
