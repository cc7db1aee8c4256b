import { describe, expect, it } from '@jest/globals';
import { type CrawlOutcome, type ProviderRegistration } from '@registrar/contracts';
import { isLate } from './late-result.ts';

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
});

describe('a result', () => {
  it('is late while it is older than the launch', () => {
    expect(isLate(crawled({}), launchedAt)).toBe(true);
    expect(isLate(crawled({ updatedAt: '2026-03-01T11:59:58Z' }), launchedAt)).toBe(true);
    expect(isLate(crawled({ accessedAt: '2026-03-01T12:00:05Z' }), launchedAt)).toBe(false);
    expect(isLate(crawled({ updatedAt: '2026-03-01T12:00:05Z' }), launchedAt)).toBe(false);
  });

  it('of the same second is not late, nor with a clock that is two seconds behind', () => {
    expect(isLate(crawled({ updatedAt: '2026-03-01T11:59:59Z' }), launchedAt)).toBe(false);
  });

  it('is not late where the provider tells whether the course is open', () => {
    for (const hasOpenLaunch of [true, false]) {
      expect(isLate(crawled({ hasOpenLaunch }), launchedAt)).toBe(false);
    }
  });

  it('is not late where there is none', () => {
    expect(isLate({ outcome: 'deleted', registrationGuid: 'a' }, launchedAt)).toBe(false);
  });
});
