import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { findChromium, runWithResources } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import * as z from 'zod';
import { type SampleInstallation, startSampleInstallation } from './sample-installation.ts';
import { openView, signInView, type View, views } from './views.ts';

/**
 * Measures every page of the console with Lighthouse, as a desktop shows it, and the time until the first page is shown
 * after a sign-in, on an installation with sample data. Needs Chromium. Exit code 1 means that a page scored less than
 * 95, or that the first page took more than a second.
 *
 *     npm run lighthouse -- --only registrations
 */
const minScore = 95;
const maxFirstPageMs = 1_000;

/** Browsers with an empty cache that open the first page, after one that does not count. */
const firstPages = 5;

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const chosen = [signInView, ...views].filter(({ name }) => values.only?.includes(name) ?? true);

const chromium = findChromium();
if (!chromium.available) throw new Error(chromium.reason);
const executablePath = chromium.handle;
const lighthouse = fileURLToPath(
  new URL('../lighthouse/node_modules/lighthouse/cli/index.js', import.meta.url),
);

/** What Lighthouse reports, as far as it is printed. Scores are from 0 to 1. */
const lighthouseReport = z.object({
  categories: z.object({
    performance: z.object({ score: z.number() }),
    accessibility: z.object({ score: z.number() }),
  }),
  audits: z.record(
    z.string(),
    z.object({
      title: z.string(),
      score: z.number().nullable(),
      scoreDisplayMode: z.string(),
      displayValue: z.string().optional(),
    }),
  ),
});
type LighthouseReport = z.output<typeof lighthouseReport>;

const say = (text: string) => process.stdout.write(`${text}\n`);

await runWithResources(startSampleInstallation, async (installation) => {
  const firstPageMs = await measureFirstPage(installation);
  say(`the first page was shown after ${Math.round(firstPageMs)} ms, promised: ${maxFirstPageMs}`);
  if (firstPageMs > maxFirstPageMs) process.exitCode = 1;
  say('\n| page | performance | accessibility | first content | largest content |');
  say('|---|---|---|---|---|');
  for (const view of chosen) {
    const report = await measure(installation, view);
    const { performance, accessibility } = report.categories;
    const shown = (audit: string) => report.audits[audit]?.displayValue ?? '';
    const scores = [performance, accessibility].map(({ score }) => Math.round(score * 100));
    say(
      `| \`${view.name}\` | ${scores.join(' | ')} | ${shown('first-contentful-paint')} | ${shown('largest-contentful-paint')} |`,
    );
    if (scores.every((score) => score >= minScore)) continue;
    process.exitCode = 1;
    for (const fault of faultsOf(report)) say(`  ${fault}`);
  }
});
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

/** Measures a page in a new browser. */
async function measure(
  { consoleUrl, cookie, samples }: SampleInstallation,
  view: View,
): Promise<LighthouseReport> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-lighthouse-'));
  try {
    const headers = join(directory, 'headers.json');
    const sent = view === signInView ? {} : { Cookie: cookie };
    await writeFile(headers, JSON.stringify(sent), { mode: 0o600 });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        lighthouse,
        consoleUrl + view.path(samples),
        '--quiet',
        '--preset=desktop',
        '--only-categories=performance,accessibility',
        '--output=json',
        `--extra-headers=${headers}`,
        '--chrome-flags=--headless --no-sandbox --disable-gpu',
      ],
      { env: { ...process.env, CHROME_PATH: executablePath }, maxBuffer: 64 * 1024 * 1024 },
    );
    return lighthouseReport.parse(JSON.parse(stdout));
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Returns the audits that cost points, as texts. */
function faultsOf({ audits }: LighthouseReport): string[] {
  return Object.values(audits)
    .filter(
      ({ score, scoreDisplayMode }) =>
        scoreDisplayMode !== 'informative' && score !== null && score < minScore / 100,
    )
    .map(({ title, score, displayValue = '' }) => `${score} ${title} ${displayValue}`);
}

/** Returns the median of the times until a browser with an empty cache shows the page after a sign-in: milliseconds. */
async function measureFirstPage({ consoleUrl, cookie }: SampleInstallation): Promise<number> {
  const browser = await openBrowser(executablePath);
  const [name = '', value = ''] = cookie.split('=');
  const times: number[] = [];
  for (let time = 0; time <= firstPages; time += 1) {
    const context = await browser.newContext();
    await context.addCookies([{ name, value, url: consoleUrl }]);
    const page = await context.newPage();
    const begun = performance.now();
    await openView(page, consoleUrl, '/');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    if (time > 0) times.push(performance.now() - begun);
    await context.close();
  }
  await browser.close();
  return times.toSorted((one, other) => one - other)[Math.floor(firstPages / 2)] ?? NaN;
}
