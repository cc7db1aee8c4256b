import { describe, expect, it } from 'vitest';
import { clock } from '@registrar/platform';
import { testLogger } from '@registrar/testing';
import { Registry } from 'prom-client';
import { OverLimit } from './over-limit.ts';

const hasSettled = async (answer: Promise<unknown>) =>
  Promise.race([answer.then(() => true), new Promise((resolve) => setImmediate(resolve, false))]);

describe('limits', () => {
  it('the answers to requests beyond a limit wait for 0.8 to 1.6 s, 1,000 at a time', async () => {
    const overLimit = new OverLimit(new Registry(), testLogger('gateway').logger);
    const refusal = overLimit.refuse('realm', 'realm 1', 1);
    const waiting = Array.from({ length: 1_000 }, () => overLimit.delay(refusal));
    expect(await hasSettled(waiting[0]!)).toBe(false);
    expect(await overLimit.delay(refusal)).toBe(refusal);
    clock.step(700);
    expect(await hasSettled(Promise.race(waiting))).toBe(false);
    clock.step(900);
    expect(await Promise.all(waiting)).toContain(refusal);
    const next = overLimit.delay(refusal);
    expect(await hasSettled(next)).toBe(false);
    clock.step(1_600);
    await next;
  });
});
