import { describe, expect, it } from '@jest/globals';
import { Failure, type RequestContract } from '#libs/contracts';
import { once } from 'node:events';
import { count, crash, detail, greet, refuse, unanswered, wait } from './bus-apps.fixture.ts';
import { type BusSystem, failureOf, within } from './bus-system.fixture.ts';

/** How much a context works on at a time, and with what may wait (waiting-line.ts). */
const atWork = 64;
export const measure = atWork + 2_000;

/** What requests and lists do over every transport. */
export function describeRequests(system: () => BusSystem): void {
  describe('requests', () => {
    it('are answered inside the operation of their caller', async () => {
      const reply = await within(5_000, () => system().bus.request(greet, { name: 'Ada' }));
      expect(reply).toMatchObject({ text: 'Hello Ada', requestId: 'suite' });
      expect(reply.key).toMatch(/^[\w-]{43}$/);
      expect(reply.remaining).toBeGreaterThan(0);
      expect(reply.remaining).toBeLessThanOrEqual(5_000);
    });

    it('hand a failure on with its code and detail', async () => {
      const failure = await failureOf(system().bus.request(refuse, {}));
      expect(failure).toBeInstanceOf(Failure);
      expect(failure).toMatchObject({ code: 'refused-by-provider', detail });
    });

    it('keep the cause of a defect at home', async () => {
      const failure = await failureOf(system().bus.request(crash, {}));
      expect(failure).toMatchObject({ code: 'internal' });
      expect(failure.message).not.toContain('hunter2');
      expect(JSON.stringify(system().log.lines())).toContain('a request handler failed');
    });

    it('are refused before the handler when malformed, without being repeated', async () => {
      const request = system().bus.request(greet, { name: 42 as unknown as string });
      const failure = await failureOf(request);
      expect(failure).toMatchObject({ code: 'invalid' });
      expect(failure.message).toContain('name');
      expect(failure.message).not.toContain('42');
    });

    it('fail at once where nobody answers', async () => {
      const { bus } = system();
      const failure = await failureOf(bus.request(unanswered, {}));
      expect(failure).toMatchObject({ code: 'unavailable', retriable: true });
      const unknown = { ...greet, name: 'catalog.unknown' } as RequestContract;
      expect(await failureOf(bus.request(unknown, {}))).toMatchObject({ code: 'unavailable' });
    });

    it('are not begun when they have expired, and end at their deadline', async () => {
      const { bus, told } = system();
      const late = within(-1, () => bus.request(greet, { name: 'late' }));
      expect(await failureOf(late)).toMatchObject({ code: 'expired' });
      const slow = within(50, () => bus.request(wait, { until: 'released late' }));
      expect(await failureOf(slow)).toMatchObject({ code: 'expired' });
      told.emit('released late');
    });

    it('are not executed by a context that comes to them after their deadline', async () => {
      const { bus, told } = system();
      let executed = 0;
      told.on('waiting the past', () => (executed += 1));
      const begun = new Promise<void>((resolve) => {
        let count = 0;
        told.on('waiting full hands', () => (count += 1) === atWork && resolve());
      });
      const others = Array.from({ length: atWork }, () =>
        bus.request(wait, { until: 'full hands' }),
      );
      await begun;
      const late = within(50, () => bus.request(wait, { until: 'the past' }));
      expect(await failureOf(late)).toMatchObject({ code: 'expired' });
      told.emit('full hands');
      await Promise.all(others);
      // Whoever came after the late one is answered after it.
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
      expect(executed).toBe(0);
      for (const what of ['full hands', 'the past']) told.removeAllListeners(`waiting ${what}`);
    });

    it('are answered in storms', async () => {
      const names = Array.from({ length: 1_000 }, (_item, index) => String(index));
      const replies = await Promise.all(names.map((name) => system().bus.request(greet, { name })));
      expect(replies.map((reply) => reply.text)).toEqual(names.map((name) => `Hello ${name}`));
    });

    it('are turned away at once beyond what a context can take', async () => {
      const { bus, told } = system();
      const begun = once(told, 'waiting flood over');
      const flood = Array.from({ length: measure }, () =>
        bus.request(wait, { until: 'flood over' }),
      );
      const outcomes = Promise.all(flood);
      await begun;
      expect(await failureOf(bus.request(greet, { name: 'Ada' }))).toMatchObject({
        code: 'overloaded',
        retriable: true,
      });
      // Those that are begun later wait for the word anew.
      told.on('waiting flood over', () => setImmediate(() => told.emit('flood over')));
      told.emit('flood over');
      await outcomes;
      told.removeAllListeners('waiting flood over');
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
    });
  });

  describe('lists', () => {
    it('are read page by page, one page ahead of the reader', async () => {
      const { bus, stage } = system();
      stage.askedPages.length = 0;
      const read: number[] = [];
      for await (const page of bus.pages(count, { to: 25 }, 10)) read.push(...page);
      expect(read).toEqual(Array.from({ length: 25 }, (_item, index) => index));
      expect(stage.askedPages).toEqual([0, 10, 20]);

      stage.askedPages.length = 0;
      for await (const page of bus.pages(count, { to: 1_000 }, 10)) {
        expect(page).toHaveLength(10);
        break;
      }
      expect(stage.askedPages.length).toBeLessThanOrEqual(2);
    });

    it('tell their reader that a page failed', async () => {
      const read = within(200, async () => {
        for await (const page of system().bus.pages(count, { to: 1_000_000 }, 1)) {
          expect(page).toHaveLength(1);
        }
      });
      expect(await failureOf(read)).toMatchObject({ code: 'expired' });
    });
  });
}
