import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { expect, it } from 'vitest';
import { usePlayer } from '../player/player.fixture.ts';
import { makeDocument } from '../testing/make-document.ts';

describeWith(findChromium(), 'a course of a PDF file in Chromium', (executablePath) => {
  const player = usePlayer(executablePath);

  it('a course of a PDF file offers the document in the player, and is completed', async () => {
    const { client } = player();
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(makeDocument())]), 'plan.pdf');
    const { body } = await client.send<{ result: string }>(
      'courses/importJobs/upload?courseId=plan',
      { method: 'POST', headers: { uploadedContentType: 'application/pdf' }, body: form },
    );
    await client.importEnd(body.result);
    const registration = await client.register('plan');
    const window = await player().open(await player().launchLink(registration));
    const page = window.page.frameLocator('iframe');
    // Browsers that cannot show the document show the link: so does this one.
    await page.locator('object[data="document.pdf"]').getByRole('link', { name: 'plan' }).waitFor();
    await window.page.getByRole('button', { name: 'Exit' }).click();
    await window.waitForText('You have completed the course');
    expect(await player().result(registration)).toMatchObject({
      registrationCompletion: 'COMPLETED',
    });
  });
});
