import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testLogger } from '@registrar/testing';
import { Registry } from 'prom-client';
import { FailedAccesses, failedAccessLimits } from './failed-access.ts';

describe('failed accesses', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const create = () =>
    new FailedAccesses(
      ['launch'],
      failedAccessLimits(20, (address) => address === '10.0.0.1'),
      new Registry(),
      testLogger('gateway').logger,
    );
  const attempt = (each: number, address = '192.0.2.1', account: string | null = null) =>
    ({ mode: 'launch', address, account, credentials: `credentials ${each}` }) as const;
  const attempts = (count: number) => Array.from({ length: count }, (_, each) => attempt(each));

  it('failed accesses are delayed more and more from the limit on, of one network', () => {
    const accesses = create();
    const delays = attempts(27).map((each) => accesses.count(each)?.delayMs ?? 0);
    expect(delays.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 0));
    expect(delays.slice(20)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(accesses.count(attempt(28, '192.0.2.2'))).toBeNull();
  });

  it('failed accesses of an account are delayed from twice the limit on, at proxies and unknown addresses too', () => {
    const accesses = create();
    const ofAccount = (each: number, address?: string) =>
      accesses.count({ ...attempt(each), address, account: 'realm' });
    for (let each = 0; each < 40; each += 1) {
      expect(ofAccount(each, each % 2 === 0 ? '10.0.0.1' : undefined)).toBeNull();
    }
    const behindProxy = ofAccount(40, '10.0.0.1');
    expect(behindProxy).toEqual({ source: expect.any(String), delayMs: 250 });
    expect(ofAccount(41)).toEqual({ source: behindProxy?.source, delayMs: 500 });
    expect(ofAccount(42, '192.0.2.9')).toEqual({ source: '192.0.2.9', delayMs: 1_000 });
  });

  it('failed accesses at the address of a proxy do not count for that address', () => {
    const accesses = create();
    for (let each = 0; each < 100; each += 1) {
      expect(accesses.count(attempt(each, '10.0.0.1'))).toBeNull();
    }
  });

  it('failed accesses are forgotten ten minutes after the first of them', () => {
    const accesses = create();
    attempts(20).forEach((each) => accesses.count(each));
    vi.advanceTimersByTime(5 * 60_000);
    expect(accesses.count(attempt(20))).not.toBeNull();
    vi.advanceTimersByTime(5 * 60_000 + 1_000);
    expect(accesses.count(attempt(21))).toBeNull();
  });

  it('failed accesses wait in a bounded number, of one network and in all', async () => {
    const accesses = create();
    const waiting = (source: string, count: number) =>
      Array.from({ length: count }, () => accesses.delay({ source, delayMs: 1_000 }));
    const ofOne = waiting('192.0.2.1', 11);
    const others = Array.from({ length: 10 }, (_, each) => waiting(`198.51.100.${each}`, 10));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await Promise.all(ofOne)).filter((waited) => !waited)).toHaveLength(1);
    expect((await Promise.all(others.flat())).filter(Boolean)).toHaveLength(90);
    const again = accesses.delay({ source: '192.0.2.1', delayMs: 1_000 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await again).toBe(true);
  });
});
