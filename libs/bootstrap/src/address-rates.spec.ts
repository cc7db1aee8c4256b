import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AddressRates } from './address-rates.ts';

describe('the rates of addresses', () => {
  // Nothing refills, however long the test takes.
  beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(performance.now()));
  afterEach(() => void vi.restoreAllMocks());

  const newRates = () =>
    new AddressRates({ requestsPerSecondOfAddress: 2, trustsPeer: (peer) => peer === '192.0.2.9' });
  /** How many of so many requests pass. */
  const passed = (rates: AddressRates, count: number, from: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => rates.count(from(at))).filter((wait) => wait === 0)
      .length;

  it('requests of one address pass up to those of five seconds, and those of a trusted proxy all do', () => {
    const rates = newRates();
    expect(passed(rates, 12, () => '192.0.2.1')).toBe(10);
    expect(passed(rates, 12, () => '192.0.2.2')).toBe(10);
    expect(passed(rates, 12, () => '192.0.2.9')).toBe(12);
  });

  it('a subscriber with an IPv6 network of 56 bits counts as two addresses, and one of 48 bits as four', () => {
    const group = (at: number) => at.toString(16);
    expect(passed(newRates(), 200, (at) => `2001:db8:0:${group(at)}::1`)).toBe(20);
    expect(passed(newRates(), 200, (at) => `2001:db8:0:${group(at * 256)}::1`)).toBe(40);
    expect(passed(newRates(), 500, (at) => `2001:db8:${group(at)}::1`)).toBe(500);
  });

  it('requests that are taken back count for no network', () => {
    const rates = newRates();
    for (let at = 0; at < 100; at += 1) {
      const address = `2001:db8:0:${at}::1`;
      expect(rates.count(address)).toBe(0);
      rates.uncount(address);
    }
  });
});
