import { describe, expect, it } from 'vitest';
import { parkedEventRequests } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { clock } from '@registrar/platform';
import { eventually } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as z from 'zod';
import { counted, happened, listenerHandlers, subscriberHandlers } from './bus-apps.fixture.ts';
import { type BusSystem, failureOf, within } from './bus-system.fixture.ts';
import { PruneBusTables } from './prune-bus-tables.ts';
import { Outbox } from './outbox.ts';

/** Events and broadcasts, over every transport. */
export function describeEvents(system: () => BusSystem): void {
  describe('events', () => {
    it('events are handled once by each subscriber', async () => {
      const { publish, effects, enrolment } = system();
      await publish('opening');
      expect(await effects(enrolment, 'opening')).toHaveLength(1);
    });

    it('events need a transaction and are discarded when it is rolled back', async () => {
      const { catalog, publish, effects, enrolment } = system();
      const outbox = catalog.get(Outbox);
      await expect(outbox.publish(happened, { what: 'nothing' })).rejects.toThrow('transaction');
      const undone = catalog.get(Database).transaction(async () => {
        await outbox.publish(happened, { what: 'undone' });
        throw new Error('change of mind');
      });
      await expect(undone).rejects.toThrow('change of mind');
      await publish('after the undone');
      expect(await effects(enrolment, 'undone')).toHaveLength(0);
    });

    it('events take effect once when delivered twice', async () => {
      const { catalog, handled, publish, effects, enrolment } = system();
      const messageId = randomUUID();
      const database = catalog.get(Database);
      /** Adds the event, and relays it. */
      const deliver = async () => {
        await database.execute(
          sql`INSERT INTO outbox (message_id, name, payload, subscribers, request_id)
              VALUES (${messageId}, ${happened.name}, '{"what": "twice"}', ${happened.subscribers},
                      'suite')`,
        );
        catalog.get(Outbox).relayNow();
      };
      const relayed = () =>
        eventually('the event has left the outbox', async () => {
          const waiting = sql`SELECT 1 FROM outbox WHERE message_id = ${messageId}`;
          return (await database.execute(waiting)) === 0;
        });
      const first = handled('twice');
      await deliver();
      await first;
      await relayed();
      await deliver();
      await relayed();
      await publish('after the second');
      expect(await effects(enrolment, 'twice')).toHaveLength(1);
    });

    it('events are retried when their handler fails, and take effect once', async () => {
      const { probe, publish, effects, enrolment } = system();
      probe.remainingFailures.set('enrolment stubborn', 1);
      await publish('stubborn');
      expect(await effects(enrolment, 'stubborn')).toHaveLength(1);
    });

    it('events are not delayed by events whose handler always fails', async () => {
      const { probe, catalog, publish, publishFrom, effects, enrolment, signals } = system();
      const poison = Array.from({ length: 50 }, (_event, index) => `poison ${index}`);
      for (const what of poison) probe.remainingFailures.set(`enrolment ${what}`, Infinity);
      const last = once(signals, `identity ${poison.at(-1)}`);
      for (const what of poison) await publishFrom(catalog, what);
      await publish('wholesome');
      await last;
      expect(await effects(enrolment, 'poison 0')).toHaveLength(0);
      probe.remainingFailures.clear();
    });

    it('events are handled together where the handler takes many, and fail alone', async () => {
      const { probe, catalog, effects, enrolment, signals } = system();
      const whats = Array.from({ length: 100 }, (_event, index) => `counted ${index}`);
      // Together with the others, and once alone.
      probe.remainingFailures.set('enrolment counted 7', 2);
      const all = Promise.all(whats.map((what) => once(signals, `enrolment ${what}`)));
      await catalog.get(Database).transaction(() =>
        catalog.get(Outbox).publishAll(
          counted,
          whats.map((what) => ({ what })),
        ),
      );
      await all;
      for (const what of whats) expect(await effects(enrolment, what)).toHaveLength(1);
      expect(Math.max(...probe.handledTogether)).toBeGreaterThan(1);
    });

    it('events can be replayed or dropped when parked in the outbox', async () => {
      const { catalog, operator, handled, effects, enrolment } = system();
      const insert = (what: string) =>
        catalog.get(Database).one(
          z.object({ id: z.string() }),
          sql`INSERT INTO outbox (name, payload, subscribers, request_id, parked_at, parked_reason)
              VALUES (${happened.name}, ${{ what }}, ${happened.subscribers}, 'suite', now(),
                      'too large')
              RETURNING 'out-' || id AS id`,
        );
      const { id } = await insert('sent again');
      const { id: dropped } = await insert('never sent');
      const { list, inspect, replay, drop } = parkedEventRequests.catalog;
      const shown = await operator.request(inspect, { id });
      expect(shown).toMatchObject({ event: happened.name, reason: 'too large' });
      expect(JSON.parse(shown.message)).toEqual({ what: 'sent again' });
      const arrived = handled('sent again');
      await operator.request(replay, { id });
      await arrived;
      expect(await effects(enrolment, 'sent again')).toHaveLength(1);
      await operator.request(drop, { id: dropped });
      for await (const { items: page } of operator.pages(list, {})) expect(page).toEqual([]);
      expect(await failureOf(operator.request(replay, { id: dropped }))).toMatchObject({
        code: 'not-found',
      });
      const ofAnotherList = { cursor: 'W10', limit: 1 };
      expect(await failureOf(operator.page(list, {}, ofAnotherList))).toMatchObject({
        code: 'invalid',
        message: 'malformed cursor',
      });
    });

    it('events are handled with a deadline of their own, not that of the publisher', async () => {
      const { probe, publish } = system();
      const begun = clock.now();
      await within(29_000, () => publish('just in time'));
      const deadline = probe.handlerDeadlines.get('enrolment just in time');
      // A handler has 30 s.
      expect(deadline).toBeGreaterThanOrEqual(begun + 30_000);
    });

    it('events stay in the inbox for two weeks', async () => {
      const { start, stop, probe } = system();
      const [old, young] = [randomUUID(), randomUUID()];
      const first = await start('crawler', [subscriberHandlers(probe, 'crawler')]);
      const database = first.get(Database);
      await database.execute(
        sql`INSERT INTO inbox (message_id, handled_at)
            VALUES (${old}, now() - interval '15 days'), (${young}, now() - interval '13 days')`,
      );
      await first.get(PruneBusTables).pruneInbox();
      const left = await database.many(
        z.object({ message_id: z.uuid() }),
        sql`SELECT message_id FROM inbox WHERE message_id = ANY(${[old, young]})`,
      );
      expect(left).toEqual([{ message_id: young }]);
      await stop(first);
    });
  });

  describe('broadcasts', () => {
    it('broadcasts reach every replica of an app', async () => {
      const { start, stop, probe, publish, signals } = system();
      const replica = await start('gateway', [listenerHandlers(probe, 'heard too')], {
        databaseUrl: null,
      });
      const heard = Promise.all([once(signals, 'heard news'), once(signals, 'heard too news')]);
      await publish('news');
      await heard;
      await stop(replica);
    });

    it('broadcasts do not delay events when their handler fails', async () => {
      const { publish, signals } = system();
      const heard = once(signals, 'heard unbearable');
      await publish('unbearable');
      await heard;
    });
  });
}
