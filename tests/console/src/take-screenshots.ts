import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { findChromium, runWithResources } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type SampleInstallation, startSampleInstallation } from './sample-installation.ts';
import { openView, signInView, type View, views } from './views.ts';

/**
 * Takes the images of docs/console.md anew, on an installation with sample data. Needs Chromium.
 *
 *     npm run screenshots
 */
const folder = new URL('../../../docs/images/console/', import.meta.url);

/** The bytes that an image may have at most, and all of them together. */
const maxBytes = { image: 150_000, all: 1_500_000 };

/** Images are legible texts on flat colors. */
const quality = 82;

const wide: BrowserContextOptions = {
  viewport: { width: 1280, height: 860 },
  locale: 'en-GB',
  timezoneId: 'UTC',
  colorScheme: 'light',
};

/** Views that also have an image in another form. */
const variants: readonly {
  readonly view: string;
  readonly name: string;
  readonly options: BrowserContextOptions;
}[] = [
  { view: 'overview', name: 'overview-dark', options: { colorScheme: 'dark' } },
  { view: 'registration', name: 'registration-dark', options: { colorScheme: 'dark' } },
  {
    view: 'registration',
    name: 'registration-narrow',
    options: { viewport: { width: 360, height: 740 } },
  },
];

const chromium = findChromium();
if (!chromium.available) throw new Error(chromium.reason);
const executablePath = chromium.handle;
await runWithResources(startSampleInstallation, takeAll);
// The package of the embedded PostgreSQL would otherwise exit with code 0 in every case.
process.exit();

async function takeAll(
  { consoleUrl, cookie, samples }: SampleInstallation,
  resources: AsyncDisposableStack,
): Promise<void> {
  const browser = resources.adopt(await openBrowser(executablePath), (each) => each.close());
  const [name = '', value = ''] = cookie.split('=');
  const take = async (view: View, options: BrowserContextOptions, isSignedIn = true) => {
    const context = await browser.newContext({ ...wide, ...options });
    if (isSignedIn) await context.addCookies([{ name, value, url: consoleUrl }]);
    const page = await context.newPage();
    await openView(page, consoleUrl, view.path(samples));
    await view.prepare?.(page);
    const image = await imageOf(page);
    await context.close();
    return image;
  };
  const images = new Map([['sign-in', await take(signInView, {}, false)]]);
  // The Overview last, when its apps have reported.
  for (const view of views.toReversed()) images.set(view.name, await take(view, {}));
  for (const { view: name, name: image, options } of variants) {
    const view = views.find((each) => each.name === name);
    if (!view) throw new Error(`there is no view ${name}`);
    images.set(image, await take(view, options));
  }
  await writeImages(images);
}

/** Takes an image of what a window shows, when its animations have ended. */
async function imageOf(page: Page): Promise<Buffer> {
  // A ring around what has the focus would distract.
  await page.evaluate('document.activeElement?.blur()');
  await page.evaluate('Promise.allSettled(document.getAnimations().map((each) => each.finished))');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
  return Buffer.from(data, 'base64');
}

/** Replaces the images of the folder. */
async function writeImages(images: ReadonlyMap<string, Buffer>): Promise<void> {
  let all = 0;
  for (const [name, { length }] of images) {
    all += length;
    process.stdout.write(`${name} ${Math.round(length / 1_000)} kB\n`);
    if (length > maxBytes.image) throw new Error(`the image ${name} has ${length} bytes`);
  }
  if (all > maxBytes.all) throw new Error(`the images have ${all} bytes`);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) await rm(new URL(name, folder));
  for (const [name, image] of images) await writeFile(new URL(`${name}.webp`, folder), image);
}
