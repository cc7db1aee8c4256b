import { onOwnPostgres, testBrokerUrl } from '#libs/testing';
import { claimSeats } from './claim-seats.ts';
import { crashFlow } from './crashes/crash-flow.ts';
import { flows } from './crashes/flows.ts';
import { testConvergence } from './crawl-convergence.ts';

/** What a model, or a part of it, has come to. */
interface Finding {
  readonly found: string;
  /** What is not as it must be. */
  readonly broken: readonly string[];
}

const whole = (value: number) => value.toLocaleString('en');

/** Of the points of a flow over RabbitMQ, where a restart takes longer, every fifth. */
const strideOverRabbitMq = 5;

/** Each in full. Those named on the command line run; all of them without a name. */
const models: Record<string, () => AsyncIterable<Finding>> = {
  async *crawls() {
    const size = { batches: 100, batchSize: 1_000 };
    const { schedules, events, diverged, seed } = await testConvergence(size);
    yield {
      found: `${whole(schedules)} schedules in ${whole(events)} events, seed ${seed}`,
      broken: diverged.map((each) => JSON.stringify(each)),
    };
  },

  async *seats() {
    const [claims, seats] = [1_000, 100];
    const rounds = await claimSeats({ rounds: 100, claims, seats }, testBrokerUrl);
    const repeated = rounds.reduce((sum, round) => sum + round.repeated, 0);
    yield {
      found: `${rounds.length} rounds of ${whole(claims)} claims on ${seats} seats, ${whole(repeated)} claims repeated`,
      broken: rounds
        .filter(({ granted, registrations, learners, free }) => {
          const exact = granted === seats && registrations === seats;
          return !exact || learners !== claims || free !== 0;
        })
        .map((round) => JSON.stringify(round)),
    };
  },

  async *crashes() {
    for (const [bus, brokerUrl, stride] of [
      ['in-process', null, 1],
      ['RabbitMQ', testBrokerUrl, strideOverRabbitMq],
    ] as const) {
      for (const flow of flows) {
        const { points, strikes, broken } = await crashFlow(flow, brokerUrl, stride);
        yield { found: `${flow.name}, ${bus}: ${points} points, ${strikes} strikes`, broken };
      }
    }
  },
};

const named = process.argv.slice(2);
const wanted = named.length > 0 ? named : Object.keys(models);
const unknown = wanted.filter((name) => !(name in models));
if (unknown.length > 0) {
  process.stderr.write(
    `no model ${unknown.join(', ')}; there are ${Object.keys(models).join(', ')}\n`,
  );
  process.exit(1);
}
await onOwnPostgres(runWanted, ['-c', 'max_connections=400']);
// The package of the embedded PostgreSQL would end the process with 0, whatever was found.
process.exit();

async function runWanted(): Promise<void> {
  for (const [name, run] of Object.entries(models)) {
    if (!wanted.includes(name)) continue;
    let begun = Date.now();
    for await (const { found, broken } of run()) {
      const seconds = ((Date.now() - begun) / 1000).toFixed(0);
      begun = Date.now();
      process.stdout.write(`${name}: ${found}: ${broken.length} broken, ${seconds} s\n`);
      for (const each of broken) process.stdout.write(`  ${each}\n`);
      if (broken.length > 0) process.exitCode = 1;
    }
  }
}
