import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { catalogHandlers, greet, wait } from './bus-apps.fixture.ts';
import { type BusSystem, failureOf, within } from './bus-system.fixture.ts';

/** What a stopping app does over every transport. */
export function describeStop(system: () => BusSystem): void {
  describe('an app that stops', () => {
    it('finishes its running requests, and another replica takes the later ones', async () => {
      const { bus, told, stage, start, stop, catalog } = system();
      const waiting = once(told, 'waiting released last');
      const running = bus.request(wait, { until: 'released last' });
      await waiting;
      const replica = await start('catalog', [catalogHandlers(stage)]);
      const stopped = stop(catalog);
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
      told.emit('released last');
      expect(await running).toEqual({ released: true });
      await stopped;
      expect(await bus.request(greet, { name: 'Bob' })).toMatchObject({ text: 'Hello Bob' });
      await stop(replica);
    });

    it('leaves nobody waiting beyond the deadline when it was the last', async () => {
      // Over a broker the request waits for a restart, for a while.
      const { bus } = system();
      const late = await failureOf(within(500, () => bus.request(greet, { name: 'x' })));
      expect(['unavailable', 'expired']).toContain(late.code);
    });
  });
}
