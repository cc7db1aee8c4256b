import { type Browser, chromium } from 'playwright-core';

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
