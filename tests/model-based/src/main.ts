import { withTemporaryPostgres } from '@registrar/persistence/testing';
import { testBrokerUrl } from '@registrar/testing';
import { claimSeats, type Round } from './claim-seats.ts';
import { crashFlow } from './crashes/crash-flow.ts';
import { flows } from './crashes/flows.ts';
import { testConvergence } from './crawl-convergence.ts';
import { readYourWrites } from './read-your-writes.ts';

/** The result of a model or of a part of it. */
interface ModelResult {
  readonly summary: string;
  /** The violations of the model's properties. */
  readonly violations: readonly string[];
}

const whole = (value: number) => value.toLocaleString('en');

/** Over RabbitMQ, where a restart takes longer, only every fifth call gets a fault. */
const rabbitMqStride = 5;

/** Rounds of claims that are reported together: they take a minute and more. */
const roundsOfResult = 10;

function resultOfRounds(rounds: readonly Round[], claims: number, seats: number): ModelResult {
  const repeated = rounds.reduce((sum, round) => sum + round.repeated, 0);
  return {
    summary: `${rounds.length} rounds of ${whole(claims)} claims on ${seats} seats, ${whole(repeated)} claims repeated`,
    violations: rounds
      .filter(({ granted, registrations, learners, free }) => {
        const exact = granted === seats && registrations === seats;
        return !exact || learners !== claims || free !== 0;
      })
      .map((round) => JSON.stringify(round)),
  };
}

/** The full models. The command line selects some by name; without a name all run. */
const models: Record<string, () => AsyncIterable<ModelResult>> = {
  async *crawls() {
    const size = { batches: 100, batchSize: 1_000 };
    const { schedules, events, diverged, seed } = await testConvergence(size);
    yield {
      summary: `${whole(schedules)} schedules with ${whole(events)} events, seed ${seed}`,
      violations: diverged.map((each) => JSON.stringify(each)),
    };
  },

  async *seats() {
    const [claims, seats] = [1_000, 100];
    let rounds: Round[] = [];
    for await (const round of claimSeats({ rounds: 100, claims, seats }, testBrokerUrl)) {
      rounds.push(round);
      if (rounds.length < roundsOfResult) continue;
      yield resultOfRounds(rounds, claims, seats);
      rounds = [];
    }
  },

  async *reads() {
    const size = { writers: 8, readers: 16, writes: 500 };
    const { writes, reads, violations } = await readYourWrites(size, testBrokerUrl);
    yield { summary: `${whole(writes)} writes, ${whole(reads)} reads`, violations };
  },

  async *crashes() {
    for (const [bus, brokerUrl, stride] of [
      ['in-process', null, 1],
      ['RabbitMQ', testBrokerUrl, rabbitMqStride],
    ] as const) {
      // Each flow has a system of its own, and mostly waits for it.
      const crashed = await Promise.all(flows.map((flow) => crashFlow(flow, brokerUrl, stride)));
      for (const { flow, points, injections, violations } of crashed) {
        yield {
          summary: `${flow}, ${bus}: ${points} points, ${injections} injected faults`,
          violations,
        };
      }
    }
  },
};

const named = process.argv.slice(2);
const wanted = named.length > 0 ? named : Object.keys(models);
const unknown = wanted.filter((name) => !(name in models));
if (unknown.length > 0) {
  process.stderr.write(
    `unknown model ${unknown.join(', ')}; the models are ${Object.keys(models).join(', ')}\n`,
  );
  process.exit(1);
}
await withTemporaryPostgres(runWanted, ['-c', 'max_connections=400']);
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

async function runWanted(): Promise<void> {
  for (const [name, run] of Object.entries(models)) {
    if (!wanted.includes(name)) continue;
    let begun = Date.now();
    for await (const { summary, violations } of run()) {
      const seconds = ((Date.now() - begun) / 1000).toFixed(0);
      begun = Date.now();
      process.stdout.write(`${name}: ${summary}: ${violations.length} violations, ${seconds} s\n`);
      for (const each of violations) process.stdout.write(`  ${each}\n`);
      if (violations.length > 0) process.exitCode = 1;
    }
  }
}
