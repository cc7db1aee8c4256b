import { describe, expect, it } from 'vitest';
import { type CrawlOutcome, type ProviderRegistration } from '@registrar/contracts';
import { isLate, repeatDelay, repeatForMs } from './late-result.ts';

const launchedAt = new Date('2026-03-01T12:00:00.900Z');
const crawled = (parts: Partial<ProviderRegistration>): CrawlOutcome => ({
  outcome: 'crawled',
  registrationGuid: 'a',
  result: {
    updatedAt: null,
    accessedAt: null,
    hasOpenLaunch: null,
    ...parts,
  } as ProviderRegistration,
  digest: 'd'.repeat(32),
});

describe('a result', () => {
  it('a result is late while it is older than the launch', () => {
    expect(isLate(crawled({}), launchedAt)).toBe(true);
    expect(isLate(crawled({ updatedAt: '2026-03-01T11:59:58Z' }), launchedAt)).toBe(true);
    expect(isLate(crawled({ accessedAt: '2026-03-01T12:00:05Z' }), launchedAt)).toBe(false);
    expect(isLate(crawled({ updatedAt: '2026-03-01T12:00:05Z' }), launchedAt)).toBe(false);
  });

  it('a result of the same second is not late, nor with a clock that is two seconds behind', () => {
    expect(isLate(crawled({ updatedAt: '2026-03-01T11:59:59Z' }), launchedAt)).toBe(false);
  });

  it('a result is not late where the provider tells whether the course is open', () => {
    for (const hasOpenLaunch of [true, false]) {
      expect(isLate(crawled({ hasOpenLaunch }), launchedAt)).toBe(false);
    }
  });

  it('a result is not late where there is none', () => {
    expect(isLate({ outcome: 'deleted', registrationGuid: 'a' }, launchedAt)).toBe(false);
  });
});

describe('late results', () => {
  /** The delays between calls that take some time. */
  const delaysWith = (callMs: number) => {
    const delays: number[] = [];
    let elapsed = 0;
    for (;;) {
      const delay = repeatDelay(delays.length, repeatForMs - elapsed);
      if (delay === null) return { delays, elapsed };
      delays.push(delay);
      elapsed += delay + callMs;
    }
  };

  it('late results are asked for again after delays that double', () => {
    expect(delaysWith(0).delays).toEqual([250, 500, 1_000, 1_000]);
  });

  it('late results are asked for again within the time, the calls included', () => {
    for (const callMs of [0, 50, 100, 200, 250]) {
      expect(delaysWith(callMs).elapsed).toBeLessThanOrEqual(repeatForMs);
    }
    // A longer call is cut off at the end, and none begins after it.
    expect(delaysWith(900).delays).toEqual([250, 500]);
    expect(delaysWith(repeatForMs).delays).toEqual([250]);
  });

  it('late results are not asked for again when no time is left for a call', () => {
    expect(repeatDelay(0, 499)).toBeNull();
    expect(repeatDelay(0, -1)).toBeNull();
  });
});
