import { describe, expect, it } from 'vitest';
import { Failure, type RequestContract } from '@registrar/contracts';
import { once } from 'node:events';
import {
  change,
  count,
  crash,
  detail,
  greet,
  look,
  refuse,
  unanswered,
  wait,
} from './bus-apps.fixture.ts';
import { type BusSystem, failureOf, longTimeMs, within } from './bus-system.fixture.ts';
import { clock, runInRequestContext } from '@registrar/platform';
import { testScope } from '@registrar/testing';

/** The running requests of a context, and those with the waiting ones (bounded-queue.ts). */
const concurrency = 64;
export const capacity = concurrency + 2_000;

/** Requests and lists, over every transport. */
export function describeRequests(system: () => BusSystem): void {
  describe('requests', () => {
    it('requests are handled in the request context of their caller', async () => {
      const deadline = clock.now() + 60_000;
      const reply = await runInRequestContext({ requestId: 'suite', deadline }, () =>
        system().bus.request(greet, { name: 'Ada' }),
      );
      expect(reply).toMatchObject({ text: 'Hello Ada', requestId: 'suite', deadline });
      expect(reply.key).toMatch(/^[\w-]{43}$/);
    });

    it('requests fail with the code and detail of the handler', async () => {
      const failure = await failureOf(system().bus.request(refuse, {}));
      expect(failure).toBeInstanceOf(Failure);
      expect(failure).toMatchObject({ code: 'refused-by-provider', detail });
    });

    it('requests fail as internal without the message of an unexpected error, which is logged', async () => {
      const failure = await failureOf(system().bus.request(crash, {}));
      expect(failure).toMatchObject({ code: 'internal' });
      expect(failure.message).not.toContain('hunter2');
      expect(JSON.stringify(system().log.lines())).toContain('a request handler failed');
    });

    it('requests fail as invalid when malformed, without repeating the input', async () => {
      const request = system().bus.request(greet, { name: 42 as unknown as string });
      const failure = await failureOf(request);
      expect(failure).toMatchObject({ code: 'invalid' });
      expect(failure.message).toContain('name');
      expect(failure.message).not.toContain('42');
    });

    it('requests fail as unauthenticated when their access scope lacks the permission', async () => {
      const reader = testScope({ permissions: ['read'] });
      expect(await system().bus.request(look, { scope: reader })).toEqual({});
      const failure = await failureOf(system().bus.request(change, { scope: reader }));
      expect(failure).toMatchObject({ code: 'unauthenticated' });
      expect(failure.message).toContain('write');
    });

    it('requests fail as unavailable at once when the context is not running', async () => {
      const { bus } = system();
      const failure = await failureOf(bus.request(unanswered, {}));
      expect(failure).toMatchObject({ code: 'unavailable', retriable: true });
      const unknown = { ...greet, name: 'catalog.unknown' } as RequestContract;
      expect(await failureOf(bus.request(unknown, {}))).toMatchObject({ code: 'unavailable' });
    });

    it('requests fail as expired before they are sent or at their deadline', async () => {
      const { bus, signals } = system();
      const late = within(-1, () => bus.request(greet, { name: 'late' }));
      expect(await failureOf(late)).toMatchObject({ code: 'expired' });
      const slow = within(50, () => bus.request(wait, { until: 'released late' }));
      expect(await failureOf(slow)).toMatchObject({ code: 'expired' });
      signals.emit('released late');
    });

    it('requests are not executed after their deadline', async () => {
      const { bus, signals } = system();
      let executed = 0;
      signals.on('waiting the past', () => (executed += 1));
      const begun = new Promise<void>((resolve) => {
        let count = 0;
        signals.on('waiting full hands', () => (count += 1) === concurrency && resolve());
      });
      const others = Array.from({ length: concurrency }, () =>
        within(longTimeMs, () => bus.request(wait, { until: 'full hands' })),
      );
      await begun;
      const late = within(50, () => bus.request(wait, { until: 'the past' }));
      expect(await failureOf(late)).toMatchObject({ code: 'expired' });
      signals.emit('full hands');
      await Promise.all(others);
      // The reply to a later request shows that the expired one was dropped.
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
      expect(executed).toBe(0);
      for (const what of ['full hands', 'the past']) signals.removeAllListeners(`waiting ${what}`);
    });

    it('requests are handled in bursts of 1,000', async () => {
      const names = Array.from({ length: 1_000 }, (_item, index) => String(index));
      const replies = await within(longTimeMs, () =>
        Promise.all(names.map((name) => system().bus.request(greet, { name }))),
      );
      expect(replies.map((reply) => reply.text)).toEqual(names.map((name) => `Hello ${name}`));
    });

    it('requests fail as overloaded at once beyond the capacity of the context', async () => {
      const { bus, signals } = system();
      const begun = once(signals, 'waiting flood over');
      // More than the capacity, because a slot is free a moment after its reply has arrived.
      const more = 100;
      const flood = Array.from({ length: capacity + more }, () =>
        within(longTimeMs, () => bus.request(wait, { until: 'flood over' })),
      );
      const outcomes = Promise.allSettled(flood);
      await begun;
      const excess = within(longTimeMs, () => bus.request(greet, { name: 'Ada' }));
      expect(await failureOf(excess)).toMatchObject({ code: 'overloaded', retriable: true });
      // Requests that start later wait for the signal again.
      signals.on('waiting flood over', () => setImmediate(() => signals.emit('flood over')));
      signals.emit('flood over');
      const refused = (await outcomes).flatMap((outcome): unknown[] =>
        outcome.status === 'rejected' ? [outcome.reason] : [],
      );
      expect(refused.length).toBeGreaterThanOrEqual(more);
      expect(refused.length).toBeLessThan(capacity);
      for (const failure of refused) expect(failure).toMatchObject({ code: 'overloaded' });
      signals.removeAllListeners('waiting flood over');
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
    });
  });

  describe('lists', () => {
    it('lists are read page by page, one page ahead of the consumer', async () => {
      const { bus, probe } = system();
      probe.requestedOffsets.length = 0;
      const read: number[] = [];
      for await (const { items: page } of bus.pages(count, { to: 25 }, 10)) read.push(...page);
      expect(read).toEqual(Array.from({ length: 25 }, (_item, index) => index));
      expect(probe.requestedOffsets).toEqual([0, 10, 20]);

      probe.requestedOffsets.length = 0;
      for await (const { items: page } of bus.pages(count, { to: 1_000 }, 10)) {
        expect(page).toHaveLength(10);
        break;
      }
      expect(probe.requestedOffsets.length).toBeLessThanOrEqual(2);
    });

    it('lists fail the consumer when a page fails', async () => {
      const read = within(200, async () => {
        for await (const { items: page } of system().bus.pages(count, { to: 1_000_000 }, 1)) {
          expect(page).toHaveLength(1);
        }
      });
      expect(await failureOf(read)).toMatchObject({ code: 'expired' });
    });
  });
}
