import { describe, expect, it } from '@jest/globals';
import { clientAddress, clientNetwork } from './client-network.ts';

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
});
