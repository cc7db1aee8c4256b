import { startStatementLog } from '@registrar/e2e/statement-log';
import {
  createSignInLink,
  signInToConsole,
  startDistributedSystem,
} from '@registrar/standalone/testing';
import { createTestDatabase, findChromium } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { distributedSettings } from '../system/installation.ts';
import { cpuBetween, cpuTimesOf } from '../system/process-usage.ts';
import { table } from '../table.ts';
import type { PromiseResult } from './report.ts';

/** After the start, until caches, plans and pools are as they stay: milliseconds. */
const settlingMs = 60_000;
/** Long enough for V8's collections of idle processes, which come minutes apart and take 0.1 s each: milliseconds. */
const measuredMs = 180_000;

/**
 * How often the bare process of Node wakes up that is measured beside the apps: as often as the six apps together. A wake does
 * next to nothing, but its cost differs between virtual machines, up to 4 ms.
 */
const bareWakesPerSecond = 20;

const mostStatements = 5;
const mostPercent = 1;
/** What the console adds, while no page is open and while ten are. */
const mostConsolePercent = 2;
const mostPagesPercent = 5;

/** Pages that follow changes, each in a browser of its own: paths, of which R stands for the sample realm. */
const openPages = [
  ...Array.from({ length: 4 }, () => '/overview'),
  ...Array.from({ length: 2 }, () => '/parked-events'),
  '/provider-applications',
  '/realms/R/provider-applications',
  '/realms/R/courses/first-aid-basics',
  '/realms/R/provider-applications/1',
];

/**
 * Counts the statements and the processor time of the six apps, in the distributed form, while no request arrives, and
 * how much the console adds to it.
 */
export async function measureRest(
  brokerUrl: string,
  say: (text: string) => void,
): Promise<PromiseResult[]> {
  const alone = await measureApps(brokerUrl, say);
  const { atRest, withPages } = await measureConsole(brokerUrl);
  const percent = (part: number) => `${(part * 100).toFixed(2)} %`;
  const added = ({ all, before }: { all: number; before: number }, most: number) => ({
    measured: `${percent(all - before)}: ${percent(all)} instead of ${percent(before)}`,
    kept: (all - before) * 100 < most,
  });
  return [
    {
      promise: `at rest, the six apps send at most ${mostStatements} statements a second`,
      measured: alone.statementsPerSecond.toFixed(1),
      kept: alone.statementsPerSecond <= mostStatements,
    },
    {
      promise: `at rest, the six apps take less than ${mostPercent} % of a processor, without metrics`,
      measured: `${percent(alone.processors)}, ${(alone.processors / alone.bare).toFixed(2)} times the ${percent(alone.bare)} of a bare process that wakes up ${bareWakesPerSecond} times a second`,
      kept: alone.processors * 100 < mostPercent,
    },
    {
      promise: `at rest, the console adds less than ${mostConsolePercent} % of a processor to all apps`,
      ...added({ all: atRest, before: alone.processors }, mostConsolePercent),
    },
    {
      promise: `with ${openPages.length} open pages, the console adds less than ${mostPagesPercent} % of a processor to all apps`,
      ...added({ all: withPages, before: alone.processors }, mostPagesPercent),
    },
  ];
}

/** Measures the six apps without a console. */
async function measureApps(brokerUrl: string, say: (text: string) => void) {
  await using resources = new AsyncDisposableStack();
  const { system, log } = await start(resources, brokerUrl, { CONSOLE: 'off' });
  const program = `setInterval(() => {}, ${1_000 / bareWakesPerSecond})`;
  const bareProcess = spawn(process.execPath, ['--eval', program]);
  resources.defer(() => void bareProcess.kill());
  await pause(settlingMs);
  const before = log.transactions.length;
  const [processors, bare] = await Promise.all([
    processorsOf(system.processes()),
    processorsOf([bareProcess.pid!]),
  ]);
  const sent = log.transactions
    .slice(before)
    .flatMap(({ app, statements }) => statements.map((text) => `${app}: ${text.slice(0, 100)}`));
  const seconds = measuredMs / 1_000;
  const rows = [...Map.groupBy(sent, (text) => text)]
    .map(([text, same]) => [text, (same.length / seconds).toFixed(2)] as const)
    .toSorted(([, one], [, other]) => Number(other) - Number(one));
  say(table([['statement', 'a second'], ...rows.map((row) => [...row])]));
  return { processors, bare, statementsPerSecond: sent.length / seconds };
}

/** Measures all apps with the console, while no page is open and while some are. */
async function measureConsole(
  brokerUrl: string,
): Promise<{ readonly atRest: number; readonly withPages: number }> {
  const chromium = findChromium();
  if (!chromium.available) throw new Error(chromium.reason);
  await using resources = new AsyncDisposableStack();
  const { system } = await start(resources, brokerUrl, {});
  await pause(settlingMs);
  const atRest = await processorsOf(system.processes());
  const browser = resources.adopt(await openBrowser(chromium.handle), (each) => each.close());
  for (const path of openPages) {
    // A session has four streams at most.
    const session = await signInToConsole(system, await createSignInLink(system));
    const [name = '', value = ''] = session.split('=');
    const context = await browser.newContext();
    await context.addCookies([{ name, value, url: system.consoleUrl }]);
    const page = await context.newPage();
    await page.goto(system.consoleUrl + path.replace('R', system.quickstart.realm_guid));
    await page.getByText('Live', { exact: true }).waitFor();
  }
  await pause(settlingMs);
  return { atRest, withPages: await processorsOf(system.processes()) };
}

async function start(
  resources: AsyncDisposableStack,
  brokerUrl: string,
  settings: Readonly<Record<string, string>>,
) {
  const server = resources.adopt(await createTestDatabase(), (each) => each.drop());
  const log = resources.adopt(await startStatementLog(server.url), (each) => each.close());
  const system = resources.adopt(
    await startDistributedSystem(brokerUrl, {
      ...distributedSettings,
      // Beside metrics, a monitor of the event loop wakes each process up every 10 ms: that is 0.4 % of a processor.
      MANAGEMENT_PORT: '',
      DATABASE_URL: log.url,
      ...settings,
    }),
    (each) => each.dispose(),
  );
  return { system, log };
}

/** Measures the processors that some processes use. */
async function processorsOf(pids: readonly number[]): Promise<number> {
  const processes = { contexts: { pids } };
  const times = cpuTimesOf(processes);
  await pause(measuredMs);
  return cpuBetween(times, cpuTimesOf(processes), measuredMs).contexts ?? NaN;
}
