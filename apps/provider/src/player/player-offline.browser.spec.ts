import { firstAidAnswers } from '@registrar/sample-courses';
import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import { type CourseWindow, type PlayerFixture, usePlayer } from './player.fixture.ts';

const firstAid = 'First aid basics';

/** A course with sequencing, of two assets. */
const sequencedCourse = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      ['first', 'second']
        .map(
          (id) => `<item identifier="${id}" identifierref="page"><title>Part ${id}</title></item>`,
        )
        .join('') + '<imsss:sequencing><imsss:controlMode flow="true"/></imsss:sequencing>',
      '<resource identifier="page" type="webcontent" adlcp:scormType="asset" href="page.html"/>',
      '2004 4th Edition',
    ),
    'page.html': '<!doctype html><title>Page</title><h1>Page</h1>',
  });

describeWith(
  findChromium(),
  'a course that is left while it cannot be reached',
  (executablePath) => {
    const player = usePlayer(executablePath);
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = player();
      await fixture.client.import('sequenced', await sequencedCourse());
    });

    const exitUrl = () => `${fixture.provider.url}/player/any/player.css?from=course`;
    const open = async (registration: string, redirectOnExitUrl: string) => {
      const window = await fixture.open(
        await fixture.launchLink(registration, { redirectOnExitUrl }),
      );
      await window.page.locator('iframe').waitFor();
      await window.waitForText('Saved');
      return window;
    };
    const message = ({ page }: CourseWindow) =>
      page.getByRole('status').filter({ hasText: 'cannot be reached' });
    /** Loses the response to the first request of a path. */
    const loseResponse = ({ page }: CourseWindow, path: string) =>
      page.evaluate((lostPath) => {
        const send = globalThis.fetch;
        globalThis.fetch = async (url, options) => {
          const response = await send(url, options);
          if (!(url instanceof URL && url.pathname.endsWith(`/${lostPath}`))) return response;
          globalThis.fetch = send;
          throw new TypeError('the response was lost');
        };
      }, path);

    it('the player says what is not saved, and leaves by itself when the network is back', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, exitUrl());
      const part = window.part(firstAid);
      await part.readToQuiz();
      await window.page.getByText('Saved', { exact: true }).waitFor();
      await window.context.setOffline(true);
      await part.answer(firstAidAnswers);
      await window.waitForText('Trying again…');
      await window.exit();
      await message(window).waitFor();
      const text = await message(window).textContent();
      // Five answers, the score and the status at least; the page of the course may count too.
      const [, count] =
        /Your results up to .+ are saved\. (\d+) results are not saved yet\./.exec(text ?? '') ??
        [];
      expect(Number(count)).toBeGreaterThanOrEqual(7);
      expect(Number(count)).toBeLessThanOrEqual(10);
      expect(text).toContain(
        'The player keeps trying and goes on by itself. Keep this window open.',
      );
      await window.context.setOffline(false);
      await window.page.waitForURL(exitUrl(), { waitUntil: 'commit' });
      const result = await fixture.result(registration);
      expect(result).toMatchObject({
        registrationSuccess: 'PASSED',
        score: { scaled: 100 },
        hasOpenLaunch: false,
      });
    });

    it('the player leaves by itself when only its last request failed, and says that all is saved', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, 'message');
      await window.page.route('**/exit', (route) => route.abort());
      await window.exit();
      await message(window).filter({ hasText: 'All your results are saved.' }).waitFor();
      expect(await window.page.getByText('Trying again…').count()).toBe(0);
      await window.page.unroute('**/exit');
      await window.waitForText('You have left the course');
    });

    it('the player goes on after 503 as after no response', async () => {
      const window = await open(await fixture.register('first-aid-basics'), 'message');
      await window.page.route('**/exit', (route) => route.fulfill({ status: 503 }));
      await window.exit();
      await message(window).waitFor();
      await window.page.unroute('**/exit');
      await window.waitForText('You have left the course');
    });

    it('a part that the learner chooses while the exit is repeated cancels the exit', async () => {
      const window = await open(await fixture.client.register('sequenced'), 'message');
      await window.page.route('**/navigation', (route) => route.abort());
      await window.exit();
      await message(window).waitFor();
      await window.page.unroute('**/navigation');
      await window.entry('Part second').click();
      await window.part('Part second').heading('Page').waitFor();
      await window.exit();
      await window.page.getByRole('heading', { name: /^You have (?:left|completed)/ }).waitFor();
    });

    it.each(['exit', 'navigation'])('a lost response to %s ends the course once', async (path) => {
      const registration = await fixture.client.register('sequenced');
      const window = await open(registration, exitUrl());
      await loseResponse(window, path);
      await window.exit();
      await window.page.waitForURL(exitUrl(), { waitUntil: 'commit' });
      expect(await fixture.result(registration)).toMatchObject({ hasOpenLaunch: false });

      const shown = await open(await fixture.client.register('sequenced'), 'message');
      await loseResponse(shown, path);
      await shown.exit();
      await shown.waitForText('You have left the course');
    });

    it('a lost response to End course ends the attempt', async () => {
      const registration = await fixture.client.register('sequenced');
      const window = await open(registration, 'message');
      await window.page.getByRole('button', { name: 'Continue', exact: true }).click();
      await window.part('Part second').heading('Page').waitFor();
      await loseResponse(window, 'navigation');
      await window.page.getByRole('button', { name: 'End course' }).click();
      await window.waitForText('You have completed the course');
      const again = await open(registration, 'message');
      await again.part('Part first').heading('Page').waitFor();
    });

    it('the player says what is not saved to a learner who stays when the browser warns', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, 'message');
      await window.part(firstAid).readToQuiz();
      await window.context.setOffline(true);
      await window.part(firstAid).answer(firstAidAnswers);
      await window.waitForText('Trying again…');
      const warned = window.page.waitForEvent('dialog');
      await window.page.close({ runBeforeUnload: true });
      await (await warned).dismiss();
      await message(window).filter({ hasText: 'results are not saved yet.' }).waitFor();
      await window.context.setOffline(false);
      await window.page.getByText('Saved', { exact: true }).waitFor();
      expect(await message(window).isVisible()).toBe(false);
      // The part is still open.
      await window.part(firstAid).button('finish').click();
      await window.waitForText('You have completed the course');
    });

    describe('for longer than a course window lasts', () => {
      it('the player stops trying, and says that the window has ended', async () => {
        const registration = await fixture.register('first-aid-basics');
        const link = await fixture.launchLink(registration, { redirectOnExitUrl: 'message' });
        const window = await fixture.open('about:blank');
        await window.page.clock.install();
        await window.page.goto(link);
        await window.part(firstAid).button('next').waitFor();
        await window.waitForText('Saved');
        await window.page.route('**/reports', (route) => route.abort());
        await window.part(firstAid).leaveFirstPage();
        await window.page.clock.runFor(1000);
        await window.waitForText('Trying again…');
        await window.page.clock.fastForward('12:00:01');
        await window.waitForText('This window has ended');
      });
    });
  },
);
