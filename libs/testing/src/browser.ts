import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';

/** Command-line arguments for Chromium: headless, as any user, without own connections. */
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Milliseconds that a step of a browser may take before it fails. Playwright's own 30 s pass on a
 * machine that is busy with other work.
 */
const stepTimeoutMs = 180_000;

/** Opens a headless Chromium. A suite needs `findChromium` for the path of the executable. */
export async function openBrowser(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: chromiumArguments,
    timeout: stepTimeoutMs,
  });
  browser.on('context', (context) => context.setDefaultTimeout(stepTimeoutMs));
  return browser;
}

/** Opens a headless Chromium with an empty profile on disk, which keeps what one page loads for the next. */
export async function openProfile(executablePath: string): Promise<BrowserContext> {
  const directory = await mkdtemp(join(tmpdir(), 'registrar-profile-'));
  const context = await chromium.launchPersistentContext(directory, {
    executablePath,
    args: chromiumArguments,
    timeout: stepTimeoutMs,
  });
  context.setDefaultTimeout(stepTimeoutMs);
  context.on('close', () => void rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  return context;
}

/** Counts the bytes that a page and its frames transfer, as they travel. What the browser has kept counts as none. */
export async function countTransfer(page: Page): Promise<TransferCount> {
  const session = await page.context().newCDPSession(page);
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await session.send('Network.enable');
  return { session, bytes: () => bytes };
}

export interface TransferCount {
  /** Of the page. */
  readonly session: CDPSession;
  readonly bytes: () => number;
}
