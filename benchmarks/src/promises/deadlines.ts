import type { FaultySystem } from './faulty-system.ts';
import type { PromiseResult } from './report.ts';

const callers = 20;

/** Timeout of an operation (apps/gateway, request-pipeline.ts) in milliseconds. */
const operationTimeoutMs = 30_000;

/** Tolerated overrun in milliseconds (docs/reliability.md, promise 5). */
const overrunToleranceMs = 250;

/** Measures by how much requests outlast their deadline when a dependency does not respond. */
export async function measureDeadlines(
  system: FaultySystem,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const { catalogDatabase: database } = system;
  const freeze = (app: string) => ({
    broken: () => system.signal(app, 'SIGSTOP'),
    mended: () => system.signal(app, 'SIGCONT'),
  });
  const faults = [
    {
      name: 'a database that does not respond',
      asked: 'course',
      broken: async () => database.blackHole(),
      mended: async () => database.restore(),
    },
    { name: 'a frozen context', asked: 'registration', ...freeze('enrolment') },
    { name: 'a frozen identity', asked: 'realm_user', ...freeze('identity') },
  ] as const;
  const measured: PromiseResult[] = [];
  for (const { name, asked, broken, mended } of faults) {
    await system.waitForRecovery();
    await broken();
    const all = await Promise.all(Array.from({ length: callers }, () => system.send(asked)));
    await mended();
    const times = all.map(({ begun, ended }) => ended - begun);
    const longest = Math.max(...times) - operationTimeoutMs;
    const statuses = [...new Set(all.map(({ status }) => status))].join(', ');
    say(`${name}: ${callers} requests returned ${statuses}, the first ${ms(Math.min(...times))}`);
    measured.push({
      promise: `no request outlasts its deadline by more than ${overrunToleranceMs} ms: ${name}`,
      measured: `${longest.toFixed(0)} ms`,
      kept:
        longest <= overrunToleranceMs &&
        all.every(({ status }) => status === 503 || status === 504),
    });
  }
  return measured;
}

const ms = (time: number) => `after ${time.toFixed(0)} ms`;
