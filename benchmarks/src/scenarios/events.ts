import { deleteNamespace } from '@registrar/bus/testing';
import { connect } from 'amqplib';
import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '../measure.ts';
import { compareSystems, type Round } from '../results.ts';
import { measureRounds } from '../rounds.ts';
import type { Comparison } from '../scenario.ts';
import { startProgram } from '../system/start-program.ts';
import { type MeasuredEvent, startPublisher } from './event-apps.ts';

/** Events of one round, and of one transaction that publishes some. */
const sustainedCount = 10_000;
const transactionSize = 100;

/** Events of one round whose latency is measured, one after another with a pause in milliseconds. */
const loneCount = 50;
const pauseMs = 20;

/** What a consumer reports after each commit: the number of events, and the time since the epoch. */
interface Report {
  readonly count: number;
  readonly at: number;
}

export const events: Comparison = {
  name: 'events',
  measures: 'events from commit to effect, and how many a second',
  run: async ({ databaseUrl, brokerUrl, resources }) => {
    const namespace = `events-${randomBytes(4).toString('hex')}`;
    resources.defer(() => deleteNamespace(brokerUrl, namespace));
    const { child: subscriber } = await startProgram(resources, 'scenarios/event-subscriber', {
      DATABASE_URL: databaseUrl,
      AMQP_URL: brokerUrl,
      BUS_NAMESPACE: namespace,
      BUS_ACCOUNTS: 'shared',
    });
    const publisher = await startPublisher({ databaseUrl, brokerUrl, namespace });
    resources.defer(() => publisher.stop());
    const bare = await startBareConsumer(resources, databaseUrl, brokerUrl);

    const lone = await measureRounds([
      { system: 'distributed', measure: () => measureLatency(subscriber, publisher.publish) },
      { system: 'bare', measure: () => measureLatency(bare.consumer, bare.publish) },
    ]);
    const sustained = await measureRounds([
      { system: 'distributed', measure: () => measureRate(subscriber, publisher.publish) },
      { system: 'bare', measure: () => measureRate(bare.consumer, bare.publish) },
    ]);
    return [
      compareSystems('events from commit to effect', 'events', lone, [
        { figure: 'p50Ms', max: 20 },
      ]),
      compareSystems('events, sustained', 'events', sustained, [
        { figure: 'rate', baseline: 'bare', min: 0.6 },
      ]),
    ];
  },
};

type Publish = (events: readonly MeasuredEvent[]) => Promise<void>;

const eventsFrom = (first: number, count: number): MeasuredEvent[] =>
  Array.from({ length: count }, (_event, index) => ({
    place: first + index,
    text: `registration ${first + index}`,
  }));

const now = () => performance.timeOrigin + performance.now();

async function measureLatency(consumer: ChildProcess, publish: Publish): Promise<Round> {
  const times: number[] = [];
  for (let place = 0; place < loneCount; place += 1) {
    await pause(pauseMs);
    const reported = once(consumer, 'message') as Promise<[Report]>;
    await publish(eventsFrom(place, 1));
    const committed = now();
    const [{ at }] = await reported;
    times.push(Math.max(0, at - committed));
  }
  return { p50Ms: median(times) };
}

async function measureRate(consumer: ChildProcess, publish: Publish): Promise<Round> {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let handled = 0;
  const count = (report: Report) => {
    handled += report.count;
    if (handled >= sustainedCount) resolve();
  };
  consumer.on('message', count);
  const begun = performance.now();
  for (let place = 0; place < sustainedCount; place += transactionSize) {
    await publish(eventsFrom(place, transactionSize));
  }
  await done;
  const seconds = (performance.now() - begun) / 1_000;
  consumer.off('message', count);
  return { rate: sustainedCount / seconds };
}

/** Starts the baseline, and a publisher that waits for nothing. */
async function startBareConsumer(
  resources: AsyncDisposableStack,
  databaseUrl: string,
  brokerUrl: string,
) {
  const queue = `bare-${randomBytes(4).toString('hex')}`;
  const { child: consumer } = await startProgram(resources, 'baselines/event-consumer', {
    DATABASE_URL: databaseUrl,
    AMQP_URL: brokerUrl,
    EVENT_QUEUE: queue,
  });
  const connection = resources.adopt(await connect(brokerUrl), (each) => each.close());
  const channel = await connection.createConfirmChannel();
  const publish = async (payloads: readonly MeasuredEvent[]) => {
    for (const payload of payloads) {
      channel.sendToQueue(queue, Buffer.from(JSON.stringify({ payload })), { persistent: true });
    }
    await channel.waitForConfirms();
  };
  return { consumer, publish };
}
