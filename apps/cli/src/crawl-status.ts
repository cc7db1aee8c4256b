import type { BusClient } from '@registrar/bus';
import { listCrawls } from '@registrar/contracts';
import { clock, runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Call } from './command.ts';
import type { Columns } from './output.ts';

type Crawls = z.output<typeof listCrawls.item>;

const refreshMs = 1_000;
/** How long the requests of one refresh may take. */
const timeoutMs = 30_000;

const barWidth = 20;

/** Moves the cursor to the first line, and clears everything below it (ECMA-48). */
const clearScreen = '\u001B[H\u001B[J';

/** What the table shows of the crawls of a provider application. */
export const crawlColumns: Columns<Crawls> = {
  application: (crawls) => crawls.application,
  state: (crawls) => crawls.state,
  late: (crawls) => `${crawls.late_seconds} s`,
  changes_at: (crawls) => crawls.changes_at,
  progress: progressOf,
  registrations: (crawls) => crawls.registrations,
  registrations_at: (crawls) => crawls.registrations_at,
  courses: (crawls) => crawls.courses,
  rate: (crawls) => `${Number(crawls.rate.toFixed(1))}/s`,
  error: (crawls) => crawls.error,
};

/** Returns a bar of the crawl in progress, if its length is known, and the windows that are left. */
function progressOf({ running, items, expected, windows }: Crawls): string | null {
  if (running === null || items === null) return null;
  const read = items.toLocaleString('en');
  const left = windows ? `, ${windows} windows left` : '';
  if (!expected || expected < items) return `${read} so far${left}`;
  const filled = Math.round((items / expected) * barWidth);
  const bar = '#'.repeat(filled).padEnd(barWidth, '-');
  return `[${bar}] ${read} of about ${expected.toLocaleString('en')}${left}`;
}

/**
 * Prints the crawls every second until the process is interrupted: in a terminal in place, with `json` a
 * line for each provider application.
 */
export async function watchCrawls(
  bus: BusClient,
  applications: readonly number[] | null,
  { output, terminal }: Call,
): Promise<void> {
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once('SIGINT', interrupt);
  const isTerminal = 'isTTY' in terminal.stdout && terminal.stdout.isTTY === true;
  try {
    while (!interrupted.signal.aborted) {
      const context = { requestId: randomUUID(), deadline: clock.now() + timeoutMs };
      if (isTerminal) terminal.stdout.write(clearScreen);
      await runInRequestContext(context, () =>
        output.lines(
          bus.pages(listCrawls, { applications: applications && [...applications] }),
          crawlColumns,
        ),
      );
      await clock.sleep(refreshMs, interrupted.signal);
    }
  } finally {
    process.off('SIGINT', interrupt);
  }
}
