import { describe, expect, it } from '@jest/globals';
import { parkedEvents } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { happened, listenerHandlers, subscriberHandlers } from './bus-apps.fixture.ts';
import { type BusSystem, failureOf, until, within } from './bus-system.fixture.ts';
import { Outbox } from './outbox.ts';

/** What events and broadcasts do over every transport. */
export function describeEvents(system: () => BusSystem): void {
  describe('events', () => {
    it('reach each subscriber once', async () => {
      const { publish, effects, enrolment } = system();
      await publish('opening');
      expect(await effects(enrolment, 'opening')).toHaveLength(1);
    });

    it('are forgotten when their transaction is undone, and want one', async () => {
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

    it('have one effect when they are delivered twice', async () => {
      const { catalog, handled, publish, effects, enrolment } = system();
      const messageId = randomUUID();
      const database = catalog.get(Database);
      const deliver = () =>
        database.query(
          `INSERT INTO outbox (message_id, name, payload, subscribers, request_id)
           VALUES ($1, $2, '{"what": "twice"}', $3, 'suite')`,
          [messageId, happened.name, happened.subscribers],
        );
      const relayed = () =>
        until(async () => {
          const rows = await database.query('SELECT 1 FROM outbox WHERE message_id = $1', [
            messageId,
          ]);
          return rows.length === 0;
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

    it('come again when their handler failed, and have one effect', async () => {
      const { stage, publish, effects, enrolment } = system();
      stage.stubborn.set('enrolment stubborn', 1);
      await publish('stubborn');
      expect(await effects(enrolment, 'stubborn')).toHaveLength(1);
    });

    it('whose handler always fails hold up no others', async () => {
      const { stage, catalog, publish, publishFrom, effects, enrolment, told } = system();
      const poison = Array.from({ length: 50 }, (_event, index) => `poison ${index}`);
      for (const what of poison) stage.stubborn.set(`enrolment ${what}`, Infinity);
      const last = once(told, `identity ${poison.at(-1)}`);
      for (const what of poison) await publishFrom(catalog, what);
      await publish('wholesome');
      await last;
      expect(await effects(enrolment, 'poison 0')).toHaveLength(0);
      stage.stubborn.clear();
    });

    it('can be sent again, or dropped, when they could not be delivered', async () => {
      const { catalog, bus, handled, effects, enrolment } = system();
      const insert = (what: string) =>
        catalog.get(Database).query<{ id: string }>(
          `INSERT INTO outbox (name, payload, subscribers, request_id, parked_at, parked_reason)
           VALUES ($1, $2, $3, 'suite', now(), 'too large') RETURNING 'out-' || id AS id`,
          [happened.name, { what }, happened.subscribers],
        );
      const [again, never] = [await insert('sent again'), await insert('never sent')];
      const [id, dropped] = [again[0]?.id ?? '', never[0]?.id ?? ''];
      const { list, inspect, replay, drop } = parkedEvents.catalog;
      const shown = await bus.request(inspect, { id });
      expect(shown).toMatchObject({ event: happened.name, reason: 'too large' });
      expect(JSON.parse(shown.message)).toEqual({ what: 'sent again' });
      const arrived = handled('sent again');
      await bus.request(replay, { id });
      await arrived;
      expect(await effects(enrolment, 'sent again')).toHaveLength(1);
      await bus.request(drop, { id: dropped });
      for await (const page of bus.pages(list, {})) expect(page).toEqual([]);
      expect(await failureOf(bus.request(replay, { id: dropped }))).toMatchObject({
        code: 'not-found',
      });
    });

    it('are handled in a time of their own, whatever time their publisher had', async () => {
      const { stage, publish } = system();
      await within(1_000, () => publish('just in time'));
      const time = stage.handlingTimes.get('enrolment just in time');
      expect(time).toBeGreaterThan(1_000);
      expect(time).toBeLessThanOrEqual(30_000);
    });

    it('are remembered for two weeks', async () => {
      const { start, stop, stage, publish } = system();
      const [old, young] = [randomUUID(), randomUUID()];
      const first = await start('crawler', [subscriberHandlers(stage, 'crawler')]);
      await first.get(Database).query(
        `INSERT INTO inbox (message_id, handled_at)
         VALUES ($1, now() - interval '15 days'), ($2, now() - interval '13 days')`,
        [old, young],
      );
      await stop(first);
      const second = await start('crawler', [subscriberHandlers(stage, 'crawler')]);
      // What an app publishes leaves after it has tidied up.
      await publish('by the crawler', second);
      const left = await second
        .get(Database)
        .query('SELECT message_id FROM inbox WHERE message_id = ANY($1)', [[old, young]]);
      expect(left).toEqual([{ message_id: young }]);
      await stop(second);
    });
  });

  describe('broadcasts', () => {
    it('are heard by every replica of an app', async () => {
      const { start, stop, stage, publish, told } = system();
      const replica = await start('gateway', [listenerHandlers(stage, 'heard too')], {
        databaseUrl: null,
      });
      const heard = Promise.all([once(told, 'heard news'), once(told, 'heard too news')]);
      await publish('news');
      await heard;
      await stop(replica);
    });

    it('hold up nothing when a listener fails', async () => {
      const { publish, told } = system();
      const heard = once(told, 'heard unbearable');
      await publish('unbearable');
      await heard;
    });
  });
}
