import { startStatementLog } from '@registrar/e2e/statement-log';
import { startDistributedSystem } from '@registrar/standalone/testing';
import { createTestDatabase } from '@registrar/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { distributedSettings } from '../system/installation.ts';
import { cpuBetween, cpuTimesOf } from '../system/process-usage.ts';
import { table } from '../table.ts';
import type { PromiseResult } from './report.ts';

/** After the start, until caches, plans and pools are as they stay: milliseconds. */
const settlingMs = 30_000;
const measuredMs = 60_000;

const mostStatements = 5;
const mostPercent = 1;

/** Counts the statements and the processor time of the six apps, in the distributed form, while no request arrives. */
export async function measureRest(
  brokerUrl: string,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  await using resources = new AsyncDisposableStack();
  const server = resources.adopt(await createTestDatabase(), (each) => each.drop());
  const log = resources.adopt(await startStatementLog(server.url), (each) => each.close());
  const system = resources.adopt(
    await startDistributedSystem(brokerUrl, {
      ...distributedSettings,
      // Beside metrics, a monitor of the event loop wakes each process up every 10 ms: that is 0.4 % of a processor.
      MANAGEMENT_PORT: '',
      DATABASE_URL: log.url,
    }),
    (each) => each.dispose(),
  );
  await pause(settlingMs);
  const processes = { contexts: { pids: system.processes() } };
  const [before, times] = [log.transactions.length, cpuTimesOf(processes)];
  await pause(measuredMs);
  const seconds = measuredMs / 1_000;
  const { contexts = NaN } = cpuBetween(times, cpuTimesOf(processes), measuredMs);
  const sent = log.transactions
    .slice(before)
    .flatMap(({ app, statements }) => statements.map((text) => `${app}: ${text.slice(0, 100)}`));
  const rows = [...Map.groupBy(sent, (text) => text)]
    .map(([text, same]) => [text, (same.length / seconds).toFixed(2)] as const)
    .toSorted(([, one], [, other]) => Number(other) - Number(one));
  say(table([['statement', 'a second'], ...rows.map((row) => [...row])]));
  const perSecond = sent.length / seconds;
  const percent = contexts * 100;
  return [
    {
      promise: `at rest, the six apps send at most ${mostStatements} statements a second`,
      measured: perSecond.toFixed(1),
      kept: perSecond <= mostStatements,
    },
    {
      promise: `at rest, the six apps take less than ${mostPercent} % of a processor, without metrics`,
      measured: `${percent.toFixed(2)} %`,
      kept: percent < mostPercent,
    },
  ];
}
