import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AsyncLocalStorage } from 'node:async_hooks';
import { Activity } from './activity.ts';
import { clock } from './clock.ts';

const pace = { everyMs: 1_000, restMs: 60_000 };

describe('the activity of a process', () => {
  let activity: Activity;
  let calls: number;
  let cancel: () => void;
  beforeEach(() => {
    activity = new Activity();
    calls = 0;
  });
  afterEach(() => cancel());
  const schedule = () => {
    cancel = activity.schedule(pace, () => (calls += 1));
  };

  it('a pause of an active process is the short one', () => {
    activity.note();
    schedule();
    clock.step(pace.everyMs);
    expect(calls).toBe(1);
  });

  it('a pause of a process at rest is the long one', () => {
    schedule();
    clock.step(pace.restMs - 1_000);
    expect(calls).toBe(0);
    clock.step(1_000);
    expect(calls).toBe(1);
  });

  it('a long pause becomes a short one when the process becomes active', () => {
    schedule();
    activity.note();
    clock.step(pace.everyMs);
    expect(calls).toBe(1);
    clock.step(pace.restMs);
    expect(calls).toBe(1);
  });

  it('activity does not lengthen a pause that is nearly over', () => {
    schedule();
    clock.step(pace.restMs - 500);
    activity.note();
    clock.step(500);
    expect(calls).toBe(1);
  });

  it('a listener is called in the context in which it was added, and not in that of the message', () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    cancel = context.run('listener', () => activity.onBegin(() => seen.push(context.getStore())));
    context.run('message', () => activity.note());
    expect(seen).toEqual(['listener']);
  });

  it('a process is at rest ten seconds after its last message', () => {
    activity.note();
    clock.step(9_000);
    expect(activity.isAtRest).toBe(false);
    clock.step(1_000);
    expect(activity.isAtRest).toBe(true);
  });

  it('a pause that was cancelled calls nothing', () => {
    schedule();
    cancel();
    activity.note();
    clock.step(pace.restMs);
    expect(calls).toBe(0);
  });
});
