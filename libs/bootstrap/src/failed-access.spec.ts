import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { testLogger } from '@registrar/testing';
import { Registry } from 'prom-client';
import { FailedAccesses, failedAccessLimits } from './failed-access.ts';

describe('failed accesses', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const create = () =>
    new FailedAccesses(
      ['launch'],
      failedAccessLimits(100),
      new Registry(),
      testLogger('gateway').logger,
    );
  const attempt = (each: number, network = '192.0.2.1') =>
    ({ mode: 'launch', network, account: null, credentials: `credentials ${each}` }) as const;
  const attempts = (count: number) => Array.from({ length: count }, (_, each) => attempt(each));

  it('are delayed more and more after a fifth of the limit, and refused from the limit on', () => {
    const accesses = create();
    const delays = attempts(27).map((each) => accesses.failed(each));
    expect(delays.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(delays.slice(20)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    attempts(99).forEach((each) => accesses.failed(each));
    expect(accesses.refuses('192.0.2.1', 'new')).toBe(false);
    accesses.failed(attempt(99));
    expect(accesses.refuses('192.0.2.1', 'new')).toBe(true);
    expect(accesses.refuses('192.0.2.2', 'new')).toBe(false);
    accesses.succeeded('valid before');
    expect(accesses.refuses('192.0.2.1', 'valid before')).toBe(false);
  });

  it('are forgotten ten minutes after the first of them', () => {
    const accesses = create();
    attempts(50).forEach((each) => accesses.failed(each));
    jest.advanceTimersByTime(5 * 60_000);
    attempts(100).forEach((each) => accesses.failed(each));
    expect(accesses.refuses('192.0.2.1', 'new')).toBe(true);
    jest.advanceTimersByTime(5 * 60_000 + 1_000);
    expect(accesses.refuses('192.0.2.1', 'new')).toBe(false);
  });

  it('wait in a bounded number, of one network and in all', async () => {
    const accesses = create();
    const waiting = (network: string, count: number) =>
      Array.from({ length: count }, () => accesses.delay(network, 1_000));
    const ofOne = waiting('192.0.2.1', 11);
    const others = Array.from({ length: 10 }, (_, each) => waiting(`198.51.100.${each}`, 10));
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await Promise.all(ofOne)).filter((waited) => !waited)).toHaveLength(1);
    expect((await Promise.all(others.flat())).filter(Boolean)).toHaveLength(90);
    const again = accesses.delay('192.0.2.1', 1_000);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await again).toBe(true);
  });
});
