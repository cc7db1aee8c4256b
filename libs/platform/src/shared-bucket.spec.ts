import { afterEach, describe, expect, it } from 'vitest';
import { clock } from './clock.ts';
import { SharedBuckets } from './shared-bucket.ts';

describe('SharedBuckets', () => {
  const size = { capacity: 10, refillPerSecond: 1 };
  const holder = { realmId: 1, key: 'realm 1' };

  afterEach(() => clock.reset());

  it('SharedBuckets does not refill what is spent by the time before it', () => {
    const buckets = new SharedBuckets();
    const full = buckets.leftFor(holder, size);
    clock.step(60_000);
    expect(buckets.leftFor(holder, size)).toBe(full);
    buckets.spend(holder, 5);
    clock.step(1_000);
    const afterOneSecond = buckets.leftFor(holder, size);
    expect(afterOneSecond).toBeLessThan(full);
    clock.step(60_000);
    expect(buckets.leftFor(holder, size)).toBe(full);
  });
});
