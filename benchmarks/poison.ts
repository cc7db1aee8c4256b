import { busMigrations, HandleEvent, rabbitMqTransport, startApp, Topology } from '#libs/bus';
import { defineEvent } from '#libs/contracts';
import { Database, PersistenceModule } from '#libs/persistence';
import { createLogger } from '#libs/platform';
import { Controller, Module } from '@nestjs/common';
import { connect } from 'amqplib';
import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Stores } from './main.ts';
import { median } from './measure.ts';
import type { Measured } from './report.ts';

const rounds = 10;
const eventCount = 5_000;
const oneIn = 1_000;

/** docs/reliability.md, promise 7. */
const loss = 0.05;

const measuredEvent = defineEvent('catalog.measured', {
  payload: z.object({ place: z.int() }),
  subscribers: ['enrolment'],
});

class Effects1700000000001 {
  async up(runner: { query(sql: string): Promise<unknown> }): Promise<void> {
    await runner.query('CREATE TABLE effects (place integer NOT NULL)');
  }
  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** What a context handles: an event that it stores, unless its place is negative. */
@Controller()
class Effects {
  #awaited = 0;
  #all: () => void = () => undefined;

  constructor(private readonly database: Database) {}

  /** Resolves when so many more events were handled. */
  handled(count: number): Promise<void> {
    this.#awaited = count;
    return new Promise((resolve) => (this.#all = resolve));
  }

  @HandleEvent(measuredEvent)
  async measured({ place }: { place: number }): Promise<void> {
    if (place < 0) throw new Error('its handler fails');
    await this.database.query('INSERT INTO effects (place) VALUES ($1)', [place]);
    this.database.afterCommit(() => {
      this.#awaited -= 1;
      if (this.#awaited === 0) this.#all();
    });
  }
}

const message = (name: string, payload: unknown) =>
  Buffer.from(JSON.stringify({ messageId: randomUUID(), name, payload, requestId: 'benchmark' }));

/** The kinds of messages that nobody can handle. */
const poisons = [
  () => randomBytes(64),
  () => message('catalog.unknown', { place: 0 }),
  () => message(measuredEvent.name, { place: -1 }),
  () => message(measuredEvent.name, { position: { newer: true } }),
];

/** What one message in a thousand that cannot be handled costs a consumer of its throughput. */
export async function measurePoison(
  { databaseUrl, brokerUrl, namespace }: Stores & { namespace: string },
  say: (text: string) => void,
): Promise<Measured> {
  const logger = createLogger('benchmark', 'fatal');
  const schema = {
    name: 'poisoned',
    entities: [],
    migrations: [...busMigrations, Effects1700000000001],
  };
  class Consumer {}
  Module({
    imports: [PersistenceModule.forContext(schema, databaseUrl)],
    controllers: [Effects],
  })(Consumer);
  const transport = rabbitMqTransport({ url: brokerUrl, namespace, logger });
  const app = await startApp({ name: 'enrolment', module: Consumer, transport, logger });
  const connection = await connect(brokerUrl);
  const channel = await connection.createConfirmChannel();
  const queue = new Topology(namespace).eventQueue('enrolment');
  /** Events in a second, of those that can be handled. */
  const throughput = async (poisoned: boolean) => {
    const isPoison = (place: number) => poisoned && place % oneIn === 0;
    const bad = poisoned ? Math.ceil(eventCount / oneIn) : 0;
    const all = app.get(Effects).handled(eventCount - bad);
    const begun = performance.now();
    for (let place = 0; place < eventCount; place += 1) {
      const poison = poisons[(place / oneIn) % poisons.length];
      const content = isPoison(place) && poison ? poison() : message(measuredEvent.name, { place });
      channel.sendToQueue(queue, content, { persistent: true });
    }
    await all;
    return ((eventCount - bad) * 1_000) / (performance.now() - begun);
  };
  try {
    await throughput(false);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // In turn first and second, for a machine does not stay as fast as it was.
      const first = await throughput(round % 2 === 1);
      const second = await throughput(round % 2 === 0);
      const [clean, poisoned] = round % 2 === 0 ? [first, second] : [second, first];
      ratios.push(poisoned / clean);
      say(`events: ${clean.toFixed(0)}/s, with poison ${poisoned.toFixed(0)}/s`);
    }
    const seen = median(ratios);
    return {
      promise: `one poisoned event in ${oneIn} costs less than ${loss} of the throughput`,
      seen: (1 - seen).toFixed(2),
      kept: 1 - seen < loss,
    };
  } finally {
    await connection.close();
    await app.stop();
  }
}
