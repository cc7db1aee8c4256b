import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { catalogHandlers, greet, wait } from './bus-apps.fixture.ts';
import { type BusSystem, failureOf, within } from './bus-system.fixture.ts';

/** The shutdown of an app, over every transport. */
export function describeShutdown(system: () => BusSystem): void {
  describe('an app that stops', () => {
    it('completes its running requests while another replica handles new ones', async () => {
      const { bus, signals, probe, start, stop, catalog } = system();
      const waiting = once(signals, 'waiting released last');
      const running = bus.request(wait, { until: 'released last' });
      await waiting;
      const replica = await start('catalog', [catalogHandlers(probe)]);
      const stopped = stop(catalog);
      expect(await bus.request(greet, { name: 'Ada' })).toMatchObject({ text: 'Hello Ada' });
      signals.emit('released last');
      expect(await running).toEqual({ released: true });
      await stopped;
      expect(await bus.request(greet, { name: 'Bob' })).toMatchObject({ text: 'Hello Bob' });
      await stop(replica);
    });

    it('fails requests at their deadline or before when it was the last replica', async () => {
      // Over a broker the request waits in its queue for a restart.
      const { bus } = system();
      const late = await failureOf(within(500, () => bus.request(greet, { name: 'x' })));
      expect(['unavailable', 'expired']).toContain(late.code);
    });
  });
}
