import type { FaultySystem } from './faulty-system.ts';
import type { Measured } from './report.ts';

const callers = 20;

/** How long an operation may take (apps/gateway, answer-request.ts): milliseconds. */
const operationTime = 30_000;

/** docs/reliability.md, promise 5: milliseconds. */
const overrun = 250;

/** By how much requests outlast their deadline when what they need says nothing any more. */
export async function measureDeadlines(
  system: FaultySystem,
  say: (text: string) => void,
): Promise<Measured[]> {
  const { catalogDatabase: database } = system;
  const freeze = (app: string) => ({
    broken: () => system.signal(app, 'SIGSTOP'),
    mended: () => system.signal(app, 'SIGCONT'),
  });
  const faults = [
    {
      name: 'a silent database',
      asked: 'course',
      broken: async () => database.blackHole(),
      mended: async () => database.restore(),
    },
    { name: 'a frozen context', asked: 'registration', ...freeze('enrolment') },
    { name: 'a frozen identity', asked: 'realm_user', ...freeze('identity') },
  ] as const;
  const measured: Measured[] = [];
  for (const { name, asked, broken, mended } of faults) {
    await system.recovered();
    await broken();
    const all = await Promise.all(Array.from({ length: callers }, () => system.ask(asked)));
    await mended();
    const times = all.map(({ begun, ended }) => ended - begun);
    const longest = Math.max(...times) - operationTime;
    const statuses = [...new Set(all.map(({ status }) => status))].join(', ');
    say(`${name}: ${callers} requests told ${statuses}, the first ${ms(Math.min(...times))}`);
    measured.push({
      promise: `no request outlasts its deadline by more than ${overrun} ms: ${name}`,
      seen: `${longest.toFixed(0)} ms`,
      kept: longest <= overrun && all.every(({ status }) => status === 503 || status === 504),
    });
  }
  return measured;
}

const ms = (time: number) => `after ${time.toFixed(0)} ms`;
