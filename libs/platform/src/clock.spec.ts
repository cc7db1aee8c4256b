import { describe, expect, it } from 'vitest';
import { Clock } from './clock.ts';

describe('Clock', () => {
  it('steps times and durations alike', () => {
    const clock = new Clock();
    const before = { now: clock.now(), monotonic: clock.monotonic() };
    clock.step(90_000);
    expect(clock.now() - before.now).toBeGreaterThanOrEqual(90_000);
    expect(clock.monotonic() - before.monotonic).toBeGreaterThanOrEqual(90_000);
    expect(clock.date().getTime()).toBeGreaterThanOrEqual(before.now + 90_000);
  });

  it('ends the pauses that a step passes over, in their order', async () => {
    const clock = new Clock();
    const ended: string[] = [];
    const late = clock.sleep(3_600_000).then(() => ended.push('late'));
    const early = clock.sleep(60_000).then(() => ended.push('early'));

    clock.step(60_000);
    await early;
    expect(ended).toEqual(['early']);

    clock.step(3_540_000);
    await late;
    expect(ended).toEqual(['early', 'late']);
  });

  it('ends a pause when its signal is aborted', async () => {
    const clock = new Clock();
    const stop = new AbortController();
    const pause = clock.sleep(3_600_000, stop.signal);
    stop.abort();
    await expect(pause).resolves.toBeUndefined();
    await expect(clock.sleep(3_600_000, stop.signal)).resolves.toBeUndefined();
  });

  it('a cancelled task is not called', () => {
    const clock = new Clock();
    const called: string[] = [];
    clock.schedule(1_000, () => called.push('kept'));
    clock.schedule(1_000, () => called.push('cancelled'))();
    clock.step(1_000);
    expect(called).toEqual(['kept']);
  });
});
