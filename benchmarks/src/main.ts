import { withTemporaryPostgres } from '@registrar/persistence/testing';
import { testBrokerUrl } from '@registrar/testing';
import { measureBus } from './bus.ts';
import { measureFairness } from './fairness.ts';
import { measureFaults } from './faults.ts';
import { measureOverload } from './overload.ts';
import { report, reportPromises } from './report.ts';
import { measureRequestQueues } from './request-queues.ts';

/** The stores of a benchmark: a temporary PostgreSQL, and the RabbitMQ of `AMQP_URL`. */
export interface Stores {
  readonly databaseUrl: string;
  readonly brokerUrl: string;
}

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Each benchmark prints its figures. Exit code 1 means that a promise of docs/reliability.md was missed. */
const benchmarks: Readonly<Record<string, (stores: Stores) => Promise<void>>> = {
  bus: async (stores) => (await measureBus(stores)).map(report).forEach(say),
  queues: () => measureRequestQueues(say),
  overload: async () => judge(reportPromises(await measureOverload(say))),
  fairness: async ({ databaseUrl }) =>
    judge(reportPromises(await measureFairness(databaseUrl, say))),
  faults: async (stores) => judge(reportPromises(await measureFaults(stores, say))),
};

function judge({ text, kept }: { text: string; kept: boolean }): void {
  say(text);
  if (!kept) process.exitCode = 1;
}

const { [process.argv[2] ?? 'bus']: run } = benchmarks;
if (run)
  await withTemporaryPostgres((databaseUrl) => run({ databaseUrl, brokerUrl: testBrokerUrl }));
else {
  process.stderr.write(`bench [${Object.keys(benchmarks).join('|')}]\n`);
  process.exitCode = 2;
}
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();
