import { connect, type ConsumeMessage } from 'amqplib';
import pg from 'pg';
import { effectsTable, type MeasuredEvent } from '../scenarios/event-apps.ts';

/** The most messages that are inserted together. */
const batchSize = 256;

/**
 * A consumer of amqplib that inserts what has arrived with one statement, and then acknowledges it: no inbox, no
 * authentication, no validation. Reports each batch as the subscriber does.
 */
const queue = process.env['EVENT_QUEUE'] ?? '';
const database = new pg.Client({ connectionString: process.env['DATABASE_URL'] });
await database.connect();
await database.query(effectsTable);
const connection = await connect(process.env['AMQP_URL'] ?? '');
const channel = await connection.createChannel();
await channel.assertQueue(queue, { durable: true });
await channel.prefetch(2 * batchSize);
const waiting: ConsumeMessage[] = [];
let isInserting = false;

async function insertWaiting(): Promise<void> {
  isInserting = true;
  while (waiting.length > 0) {
    const batch = waiting.splice(0, batchSize);
    const events = batch.map(
      ({ content }) => JSON.parse(content.toString()) as { payload: MeasuredEvent },
    );
    await database.query(
      'INSERT INTO effects (place, text) SELECT * FROM unnest($1::integer[], $2::text[])',
      [events.map(({ payload }) => payload.place), events.map(({ payload }) => payload.text)],
    );
    const last = batch.at(-1);
    if (last) channel.ack(last, true);
    process.send?.({ count: batch.length, at: performance.timeOrigin + performance.now() });
  }
  isInserting = false;
}

await channel.consume(queue, (message) => {
  if (!message) throw new Error('the consumer was cancelled');
  waiting.push(message);
  if (!isInserting) void insertWaiting();
});
process.send?.('ready');
