import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { buildDraftPackage } from '@registrar/conformance';
import { buildSamplePackage } from '@registrar/sample-courses';
import {
  checkOf,
  type CodeBlock,
  codeBlocksOf,
  commandsOf,
  findChromium,
  programEnvironment,
  readPage,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openBrowser } from '@registrar/testing/browser';
import { openClientPage } from './client-page.ts';
import { exampleSteps } from './example-steps.ts';
import { playFirstAid } from './learner.ts';
import { createReaderDirectory } from './reader-directory.ts';
import { ShellSession } from './shell-session.ts';

const scriptsOf = (page: string) => codeBlocksOf(page).filter(({ language }) => language === 'sh');
const readme = scriptsOf('README.md');
const firstHour = scriptsOf('docs/first-hour.md');
const queries = scriptsOf('docs/queries.md');
const wordPress = scriptsOf('docs/wordpress.md');
const contract = [
  ...readdirSync('docs/contract').flatMap((name) => scriptsOf(`docs/contract/${name}`)),
  ...scriptsOf('docs/troubleshooting.md'),
];
const [page = ''] =
  /(?<=<!-- page -->\n\n```html\n)[^]*?(?=\n```)/.exec(readPage('README.md')) ?? [];

/** Starts the product; the suites start it themselves. */
const installs = ({ text }: CodeBlock) => /^(npm|DATABASE_URL=)/.test(text);

/** Names a block by its first line. */
const titled = (block: CodeBlock) => ({ ...block, title: block.text.split('\n')[0] });

/** Runs the commands of README.md in a shell, and opens the page that it shows. Needs curl. */
export function describeReadme(running: () => RunningSystem): void {
  describe("README's commands", () => {
    const terminal = useTerminal(running);

    it.each(readme.filter((block) => !installs(block)).map(titled))('$title', async (block) => {
      const printed = await terminal().run(block.text);
      expectShape(printed, block);
      if (block.text.includes('progress.mjs'))
        expect(printed).toMatch(/^learner@example\.com first-aid-basics \w+ \w+$/m);
      if (block.example !== 'launch') return;
      const { launch_url } = JSON.parse(printed) as { launch_url: string };
      const chromium = findChromium();
      if (!chromium.available) return;
      const browser = await openBrowser(chromium.handle);
      try {
        await playFirstAid(browser, launch_url);
      } finally {
        await browser.close();
      }
    });

    describeWith(findChromium(), 'the page in a browser', (executablePath) => {
      it('launches the course, comes back and shows the progress', async () => {
        const html = await readFile(join(terminal().directory, 'portal', 'index.html'), 'utf8');
        const portal = await openClientPage(html);
        const browser = await openBrowser(executablePath);
        try {
          const tab = await browser.newPage();
          await tab.goto(portal.url);
          await tab.locator('output', { hasText: 'complete, score 100' }).waitFor();
          await tab.getByRole('button').click();
          await tab.waitForURL(/\/(play|launch)\//);
          await tab.getByRole('button', { name: 'Exit' }).click();
          await tab.waitForURL(portal.url);
          await tab.locator('output', { hasText: 'complete, score 100' }).waitFor();
        } finally {
          await browser.close();
          await portal.close();
        }
      });
    });
  });
}

/** Runs the commands of the contract's examples and of the first hour against the standalone form. */
export function describeGuides(running: () => RunningSystem): void {
  describe("the contract's examples", () => {
    const terminal = useTerminal(running);
    const steps = exampleSteps.flatMap((step) => {
      const found = contract.find(({ example }) => example !== null && example === step.place);
      return found ? [{ ...step, block: found }] : [];
    });

    it('the contract’s examples are all in the tour', () => {
      expect(steps).toHaveLength(contract.filter(({ example }) => example !== null).length);
    });

    it.each(steps)('$place', async ({ block, fills }) => {
      const printed = await terminal().run(block.text);
      expectShape(printed, block);
      if (!fills) return;
      const [name, property] = fills;
      await terminal().run(`${name}='${String(recordOf(printed)[property])}'`);
    });

    it.each(contract.filter(({ example }) => example === null).map(titled))(
      '$title, which has no recorded response',
      async ({ text }) => {
        expect(await terminal().run(text)).not.toBe('');
      },
    );
  });

  describe('the commands of docs/first-hour.md', () => {
    const terminal = useTerminal(running);

    it.each(firstHour.map(titled))('$title', async ({ text: commands }) => {
      const printed = await terminal().run(commands);
      if (/^(curl|npx registrar)/m.test(commands)) expect(printed).not.toBe('');
      if (commands.includes('license_seats'))
        expect(printed).toMatch(/^spring,fire-safety,.*,0,3,3$/m);
      if (commands.includes('four@example.com'))
        expect(printed).toMatch(
          /"registration_guids":{"four@example.com":{}},"messages":\["No seat/,
        );
      if (commands.includes('name=by-learner'))
        expect(printed).toContain('one@example.com,fire-safety');
      if (commands.includes('SCHOOL_KEY')) expect(printed).toMatch(/\[\]$/);
    });
  });

  describe('the commands of docs/wordpress.md', () => {
    const terminal = useTerminal(running);

    it.each(wordPress.map(titled))('$title', async ({ text }) => {
      const printed = await terminal().run(text);
      if (/^(curl|npx registrar realm set)/m.test(text)) expect(printed).not.toBe('');
      if (text.includes('callback=done')) expect(printed).toMatch(/^\/\*\*\/done\(\{"launch_url"/);
      if (text.includes('crawl=t')) expect(printed).toContain('"complete":"unknown"');
    });
  });

  describe('the commands of docs/operator.md for the standalone form', () => {
    const terminal = useTerminal(running);
    const commands = commandsOf('docs/operator.md').filter(
      (command) => checkOf(command) === 'standalone',
    );

    it.each(commands)('$text', async ({ text }) => {
      expect(await terminal().run(text)).toContain('Demo');
    });
  });

  describe('the commands of docs/queries.md', () => {
    const terminal = useTerminal(running);

    beforeAll(async () => {
      await terminal().run(readme.find(({ text }) => text.startsWith('API='))!.text);
      const [sql] = codeBlocksOf('docs/queries.md').filter(({ language }) => language === 'sql');
      await writeFile(join(terminal().directory, 'open-since.sql'), sql!.text);
    });

    it.each(queries.map(titled))('$title', async (block) => {
      expectShape(await terminal().run(block.text), block);
    });
  });
}

/**
 * A shell in a directory that looks like the reader's: `var`, the installed packages, the page and a sample
 * package. It calls the system that runs instead of the one at the documented addresses.
 */
function useTerminal(running: () => RunningSystem) {
  let directory: string;
  let session: ShellSession;
  beforeAll(async () => {
    directory = await createReaderDirectory();
    const { dataDirectory } = running();
    if (dataDirectory) await symlink(dataDirectory, join(directory, 'var'));
    else {
      await mkdir(join(directory, 'var'));
      const facts = JSON.stringify(running().quickstart);
      await writeFile(join(directory, 'var', 'quickstart.json'), facts);
    }
    await writeFile(join(directory, 'page.html'), addressed(page, running()));
    await writeFile(join(directory, 'fire-safety.zip'), await buildSamplePackage('fire-safety'));
    await writeFile(join(directory, 'draft.zip'), await buildDraftPackage());
    const { realm_guid, realm_secret_key, base_url } = running().quickstart;
    session = new ShellSession(directory, {
      ...programEnvironment(),
      HOME: directory,
      API: base_url,
      REALM_GUID: realm_guid,
      REALM_SECRET_KEY: realm_secret_key,
    });
  });
  afterAll(async () => {
    await session.close();
    await rm(directory, { recursive: true });
  });
  return () => ({
    directory,
    run: (commands: string) => session.run(addressed(commands, running())),
  });
}

/** Puts the addresses of a system into the place of the documented ones. */
const addressed = (text: string, { quickstart, providerUrl }: RunningSystem) =>
  text
    .replaceAll('http://localhost:8080', new URL(quickstart.base_url).origin)
    .replaceAll('http://localhost:8090', providerUrl);

/** Expects the fields that the page shows. */
function expectShape(printed: string, { response: shown }: CodeBlock): void {
  if (shown === null) return;
  if (/^[[{]/.test(shown))
    expect(Object.keys(recordOf(printed))).toEqual(Object.keys(recordOf(shown)));
  else expect(printed.split(/\r?\n/)[0]).toBe(shown.split(/\r?\n/)[0]);
}

/** Returns the record of a response, or the first of a list. */
function recordOf(json: string): Record<string, unknown> {
  const [first] = [JSON.parse(json)].flat() as Record<string, unknown>[];
  return first ?? {};
}
