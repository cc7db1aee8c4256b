import { randomBytes } from 'node:crypto';
import { countTransfer } from '@registrar/testing/browser';
import type { BrowserContext } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import type { PlayerFixture } from './player.fixture.ts';

const mediaBytes = 300_000;
const textLines = 20_000;

/** A course whose page loads a script, and a file that is not compressed, whole and in part. */
const courseWithMedia = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      '<item identifier="part" identifierref="files"><title>Media</title></item>',
      '<resource identifier="files" type="webcontent" adlcp:scormtype="sco" href="index.html"/>',
    ),
    'index.html': `<!doctype html><title>Media</title><script src="script.js"></script><script>
      parent.API.LMSInitialize('');
      (async () => {
        const media = await (await fetch('media.bin')).arrayBuffer();
        const part = await (await fetch('media.bin', { headers: { range: 'bytes=0-9' } })).arrayBuffer();
        document.body.append(Object.assign(document.createElement('h1'), {
          textContent: [lines.length, media.byteLength, part.byteLength].join(' '),
        }));
      })();</script>`,
    'script.js': `const lines = [${Array.from({ length: textLines }, (_, n) => `"line ${n}"`).join()}];`,
    'media.bin': randomBytes(mediaBytes),
  });

/** Tests that browsers load the files of a course once for all launches of a registration. */
export function describeSecondLaunch(player: () => PlayerFixture): void {
  describe('a second launch of a registration', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = player();
      await fixture.client.import('media', await courseWithMedia());
    });

    /** Launches in a new window of a browser. @returns the bytes that it transfers */
    const launch = async (context: BrowserContext, registration: string): Promise<number> => {
      const page = await context.newPage();
      const { bytes } = await countTransfer(page);
      await page.goto(await fixture.launchLink(registration));
      const content = page.frameLocator('iframe');
      await content.getByRole('heading', { name: `${textLines} ${mediaBytes} 10` }).waitFor();
      await page.getByText('Saved').waitFor();
      const transferred = bytes();
      await page.close();
      return transferred;
    };

    it('loads neither the player nor the course again, unlike a launch of another registration', async () => {
      const context = await fixture.browser.newContext();
      const registration = await fixture.client.register('media');
      const first = await launch(context, registration);
      expect(first).toBeGreaterThan(mediaBytes);
      // The scripts travel compressed: the course's has 260 KB, and that of the run-time 200 KB.
      expect(first).toBeLessThan(mediaBytes + 200_000);
      expect(await launch(context, registration)).toBeLessThan(20_000);
      const ofAnother = await launch(context, await fixture.client.register('media'));
      expect(ofAnother).toBeGreaterThan(mediaBytes);
      await context.close();
    });
  });
}
