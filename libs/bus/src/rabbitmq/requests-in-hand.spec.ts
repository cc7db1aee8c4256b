import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from './reply-batches.ts';
import { RequestsInHand, signIntervalMs } from './requests-in-hand.ts';

const gateway: Caller = { sender: 'gateway', replyTo: 'replies of the gateway' };

describe('requests in hand', () => {
  let told: (readonly number[])[];
  let inHand: RequestsInHand;

  beforeEach(() => {
    vi.useFakeTimers();
    told = [];
    inHand = new RequestsInHand((_, ids) => void told.push(ids));
    inHand.start();
  });
  afterEach(() => {
    inHand.stop();
    vi.useRealTimers();
  });

  it('names a request to its caller within an interval, after a time without requests too', () => {
    vi.advanceTimersByTime(10_300);
    inHand.add(gateway, 1);
    vi.advanceTimersByTime(signIntervalMs);
    expect(told).toEqual([[1]]);
  });

  it('names a request at each interval until it is answered', () => {
    const answered = inHand.add(gateway, 2);
    vi.advanceTimersByTime(2 * signIntervalMs);
    answered();
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([[2], [2]]);
  });

  it('sends no message for a request that is answered sooner', () => {
    inHand.add(gateway, 3)();
    vi.advanceTimersByTime(10_000);
    expect(told).toEqual([]);
  });
});
