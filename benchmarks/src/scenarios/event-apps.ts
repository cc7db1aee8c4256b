import { type StartedApp, startApp } from '@registrar/bootstrap';
import {
  busMigrations,
  type BusTransport,
  type EventsOf,
  HandleEvents,
  Outbox,
  type PayloadOf,
  rabbitMqTransport,
} from '@registrar/bus';
import { defineEvent } from '@registrar/contracts';
import { Database, PersistenceModule, sql } from '@registrar/persistence';
import { createLogger } from '@registrar/platform';
import { Controller, Module } from '@nestjs/common';
import { EventEmitter } from 'node:events';
import * as z from 'zod';

/** Where an app finds its stores. */
export interface EventAppSettings {
  readonly databaseUrl: string;
  readonly brokerUrl: string;
  readonly namespace: string;
}

const measured = defineEvent('catalog.measured', {
  payload: z.object({ place: z.int(), text: z.string() }),
  subscribers: ['enrolment'],
});
export type MeasuredEvent = PayloadOf<typeof measured>;

/** The table that both the subscriber and its baseline write. */
export const effectsTable = 'CREATE TABLE effects (place integer NOT NULL, text text NOT NULL)';

class Effects1700000000001 {
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query(effectsTable);
  }
  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** Emits `handled` with the number of events whose effect has been committed. */
@Controller()
export class Effects extends EventEmitter<{ handled: [count: number] }> {
  @HandleEvents(measured)
  async store(events: EventsOf<typeof measured>): Promise<void> {
    await events.apply(
      sql`INSERT INTO effects (place, text)
          SELECT (payload -> 'place')::integer, payload ->> 'text' FROM events`,
    );
    this.emit('handled', events.payloads.length);
  }
}

/** Publishes events from an app of its own. */
export async function startPublisher(settings: EventAppSettings) {
  const app = await start('catalog', settings, []);
  const [database, outbox] = [app.get(Database), app.get(Outbox)];
  return {
    /** Resolves when they are committed to the outbox. */
    publish: (events: readonly MeasuredEvent[]) =>
      database.transaction(() => outbox.publishAll(measured, events)),
    stop: () => app.stop(),
  };
}

export const startSubscriber = (settings: EventAppSettings): Promise<StartedApp> =>
  start('enrolment', settings, [Effects]);

function start(
  name: 'catalog' | 'enrolment',
  { databaseUrl, brokerUrl: url, namespace }: EventAppSettings,
  controllers: (typeof Effects)[],
): Promise<StartedApp> {
  const logger = createLogger(`benchmark-${name}`, 'error');
  const schema = {
    name: `measured_${name}`,
    entities: [],
    migrations: [...busMigrations, Effects1700000000001],
  };
  class Measured {}
  Module({ imports: [PersistenceModule.forContext(schema, databaseUrl)], controllers })(Measured);
  const transport: BusTransport = rabbitMqTransport({
    url,
    namespace,
    logger,
    accounts: 'shared',
  });
  return startApp({ name, module: Measured, transport, logger });
}
