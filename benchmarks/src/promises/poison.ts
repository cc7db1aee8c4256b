import { startApp } from '@registrar/bootstrap';
import { busMigrations, HandleEvent, rabbitMqTransport, Topology } from '@registrar/bus';
import { defineEvent } from '@registrar/contracts';
import { Database, PersistenceModule, sql } from '@registrar/persistence';
import { createLogger } from '@registrar/platform';
import { Controller, Module } from '@nestjs/common';
import { connect } from 'amqplib';
import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Stores } from '../scenario.ts';
import { median } from '../measure.ts';
import type { PromiseResult } from './report.ts';

const rounds = 10;
const eventCount = 5_000;
const poisonInterval = 1_000;

/** Maximum loss of throughput (docs/reliability.md, promise 7). */
const maxThroughputLoss = 0.05;

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

/** A context whose handler stores an event and fails when its place is negative. */
@Controller()
class Effects {
  #awaited = 0;
  #all: () => void = () => undefined;

  constructor(private readonly database: Database) {}

  /** Resolves when `count` further events were handled. */
  handled(count: number): Promise<void> {
    this.#awaited = count;
    return new Promise((resolve) => (this.#all = resolve));
  }

  @HandleEvent(measuredEvent)
  async measured({ place }: { place: number }): Promise<void> {
    if (place < 0) throw new Error('the handler fails for a poison message');
    await this.database.execute(sql`INSERT INTO effects (place) VALUES (${place})`);
    this.database.afterCommit(() => {
      this.#awaited -= 1;
      if (this.#awaited === 0) this.#all();
    });
  }
}

const message = (name: string, payload: unknown) =>
  Buffer.from(JSON.stringify({ messageId: randomUUID(), name, payload, requestId: 'benchmark' }));

/** The kinds of poison messages. */
const poisons = [
  () => randomBytes(64),
  () => message('catalog.unknown', { place: 0 }),
  () => message(measuredEvent.name, { place: -1 }),
  () => message(measuredEvent.name, { position: { newer: true } }),
];

/** Measures how much throughput a consumer loses when one message in a thousand is a poison message. */
export async function measurePoison(
  { databaseUrl, brokerUrl, namespace }: Stores & { namespace: string },
  say: (text: string) => void,
): Promise<PromiseResult> {
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
  const transport = rabbitMqTransport({ url: brokerUrl, namespace, logger, accounts: 'shared' });
  const app = await startApp({ name: 'enrolment', module: Consumer, transport, logger });
  const connection = await connect(brokerUrl);
  const channel = await connection.createConfirmChannel();
  const queue = new Topology(namespace).eventQueue('enrolment');
  const { username: userId } = new URL(brokerUrl);
  const properties = { persistent: true, userId, appId: 'catalog' };
  /** Measures handled events per second, without poison messages. */
  const throughput = async (poisoned: boolean) => {
    const isPoison = (place: number) => poisoned && place % poisonInterval === 0;
    const bad = poisoned ? Math.ceil(eventCount / poisonInterval) : 0;
    const all = app.get(Effects).handled(eventCount - bad);
    const begun = performance.now();
    for (let place = 0; place < eventCount; place += 1) {
      const poison = poisons[(place / poisonInterval) % poisons.length];
      const content = isPoison(place) && poison ? poison() : message(measuredEvent.name, { place });
      channel.sendToQueue(queue, content, properties);
    }
    await all;
    return ((eventCount - bad) * 1_000) / (performance.now() - begun);
  };
  try {
    await throughput(false);
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // The order alternates, because the speed of a machine drifts.
      const first = await throughput(round % 2 === 1);
      const second = await throughput(round % 2 === 0);
      const [clean, poisoned] = round % 2 === 0 ? [first, second] : [second, first];
      ratios.push(poisoned / clean);
      say(`events: ${clean.toFixed(0)}/s, with poison ${poisoned.toFixed(0)}/s`);
    }
    const seen = median(ratios);
    return {
      promise: `one poison message in ${poisonInterval} costs less than ${maxThroughputLoss} of the throughput`,
      measured: (1 - seen).toFixed(2),
      kept: 1 - seen < maxThroughputLoss,
    };
  } finally {
    await connection.close();
    await app.stop();
  }
}
