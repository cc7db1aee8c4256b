import { describe, expect, it } from '@jest/globals';
import { type Bucket, bucketSize, type Lane, takeTokens } from './token-bucket.ts';

const rate = 10;
const full: Bucket = { tokens: bucketSize(rate), refilledAt: 0 };
const ask = (wanted: number, lane: Lane, now = 0) => ({ now, rate, wanted, lane });

describe('a token bucket', () => {
  it('grants what is wanted, and then what is left', () => {
    const first = takeTokens(full, ask(15, 'interactive'));
    expect(first).toEqual({ bucket: { tokens: 5, refilledAt: 0 }, granted: 15, wait: 0 });
    expect(takeTokens(first.bucket, ask(15, 'interactive')).granted).toBe(5);
  });

  it('keeps a quarter from background work', () => {
    const taken = takeTokens(full, ask(100, 'background'));
    expect(taken.granted).toBe(15);
    expect(takeTokens(taken.bucket, ask(1, 'background'))).toMatchObject({ granted: 0, wait: 100 });
    expect(takeTokens(taken.bucket, ask(100, 'interactive')).granted).toBe(5);
  });

  it('fills up at its rate and never over its size', () => {
    const empty: Bucket = { tokens: 0, refilledAt: 0 };
    expect(takeTokens(empty, ask(100, 'interactive', 500)).granted).toBe(5);
    expect(takeTokens(empty, ask(100, 'interactive', 3_600_000)).granted).toBe(20);
  });

  it('says when the next call is possible, and grants it then', () => {
    const empty: Bucket = { tokens: 0.25, refilledAt: 1_000 };
    const { wait, bucket } = takeTokens(empty, ask(1, 'interactive', 1_000));
    expect(wait).toBe(75);
    expect(takeTokens(bucket, ask(1, 'interactive', 1_000 + wait)).granted).toBe(1);
  });

  it('gives background work its turn even at the lowest rate', () => {
    const slow = { now: 0, rate: 1, wanted: 20, lane: 'background' as const };
    expect(takeTokens({ tokens: bucketSize(1), refilledAt: 0 }, slow).granted).toBe(1);
  });

  it('is not emptied or filled by a clock that goes back', () => {
    const { bucket, granted } = takeTokens({ tokens: 1, refilledAt: 5_000 }, ask(1, 'interactive'));
    expect({ bucket, granted }).toEqual({ bucket: { tokens: 0, refilledAt: 5_000 }, granted: 1 });
  });
});
