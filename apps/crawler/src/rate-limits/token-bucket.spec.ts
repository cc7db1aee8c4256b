import { describe, expect, it } from '@jest/globals';
import { type Bucket, bucketSize, type Lane, takeTokens } from './token-bucket.ts';

const rate = 10;
const full: Bucket = { tokens: bucketSize(rate), refilledAt: 0 };
const request = (wanted: number, lane: Lane, now = 0) => ({ now, rate, wanted, lane });

describe('a token bucket', () => {
  it('grants the wanted calls, and then those that are left', () => {
    const first = takeTokens(full, request(15, 'interactive'));
    expect(first).toEqual({ bucket: { tokens: 5, refilledAt: 0 }, granted: 15, wait: 0 });
    expect(takeTokens(first.bucket, request(15, 'interactive')).granted).toBe(5);
  });

  it('reserves a quarter of its size for interactive calls', () => {
    const taken = takeTokens(full, request(100, 'background'));
    expect(taken.granted).toBe(15);
    expect(takeTokens(taken.bucket, request(1, 'background'))).toMatchObject({
      granted: 0,
      wait: 100,
    });
    expect(takeTokens(taken.bucket, request(100, 'interactive')).granted).toBe(5);
  });

  it('refills at its rate, up to its size', () => {
    const empty: Bucket = { tokens: 0, refilledAt: 0 };
    expect(takeTokens(empty, request(100, 'interactive', 500)).granted).toBe(5);
    expect(takeTokens(empty, request(100, 'interactive', 3_600_000)).granted).toBe(20);
  });

  it('returns the time until the next call, and grants one after it', () => {
    const empty: Bucket = { tokens: 0.25, refilledAt: 1_000 };
    const { wait, bucket } = takeTokens(empty, request(1, 'interactive', 1_000));
    expect(wait).toBe(75);
    expect(takeTokens(bucket, request(1, 'interactive', 1_000 + wait)).granted).toBe(1);
  });

  it('grants a background call even at the lowest rate', () => {
    const slow = { now: 0, rate: 1, wanted: 20, lane: 'background' as const };
    expect(takeTokens({ tokens: bucketSize(1), refilledAt: 0 }, slow).granted).toBe(1);
  });

  it('keeps its tokens when the clock goes back', () => {
    const { bucket, granted } = takeTokens(
      { tokens: 1, refilledAt: 5_000 },
      request(1, 'interactive'),
    );
    expect({ bucket, granted }).toEqual({ bucket: { tokens: 0, refilledAt: 5_000 }, granted: 1 });
  });
});
