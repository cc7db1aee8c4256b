import { fireSafetyAnswers, firstAidAnswers } from '@registrar/sample-courses';
import { eventually, findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { LaunchLinkKeys } from '../launches/launch-link-keys.ts';
import { signLaunch } from '../launches/launch-link.ts';
import { plainLaunch } from '../launches/launches.fixture.ts';
import { describeHostileCourse } from './hostile-course.fixture.ts';
import { describeLastWords } from './last-words.fixture.ts';
import { describeNavigation } from './navigation.fixture.ts';
import { type PlayerFixture, type RegistrationResult, usePlayer } from './player.fixture.ts';
import { describeRunTime } from './run-time.fixture.ts';
import { describeSecondLaunch } from './second-launch.fixture.ts';
import { describeSequencing } from './sequencing.fixture.ts';
import { describeSettings } from './settings.fixture.ts';

const firstAid = 'First aid basics';
const prevention = 'Preventing fire';
const evacuation = 'When the alarm sounds';

describe('the source files of the player', () => {
  it("the player's files contain no URL of another host", async () => {
    const sources = (await readdir(import.meta.dirname)).filter((name) =>
      /\.(html|css|js)$/.test(name),
    );
    expect(sources).toContain('player.html');
    for (const name of sources) {
      const text = await readFile(new URL(name, import.meta.url), 'utf8');
      expect([name, /https?:|['"(]\/\//.test(text)]).toEqual([name, false]);
    }
  });
});

describeWith(findChromium(), 'the player in Chromium', (executablePath) => {
  const player = usePlayer(executablePath);
  describePlayer(player);
  describeNavigation(player);
  describeSequencing(player);
  describeRunTime(player);
  describeLastWords(player);
  describeHostileCourse(player);
  describeSecondLaunch(player);
  describeSettings(player);
});

function describePlayer(player: () => PlayerFixture): void {
  describe('the player', () => {
    let fixture: PlayerFixture;
    beforeAll(() => {
      fixture = player();
    });

    const open = async (registration: string, options: object = {}) =>
      fixture.open(await fixture.launchLink(registration, options));
    const partOf = (result: RegistrationResult, at: number) => {
      const part = result.activityDetails.children[at];
      if (!part) throw new Error(`the result has no activity ${at}`);
      return part;
    };
    const resultAfterEnd = async (registration: string) => {
      await fixture.resultWhen(
        registration,
        'the attempt has ended',
        (result) => !partOf(result, 0).suspended,
      );
      // Several statements read a record: its result may be older than its parts.
      return fixture.result(registration);
    };
    /** A URL that exists, for the redirect after the course. */
    const exitUrl = () => `${fixture.provider.url}/player/any/player.css?from=course`;

    it('records completion, success, score, time and answers of a SCORM 1.2 quiz', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      await window.part(firstAid).play(firstAidAnswers);
      await window.waitForText('You have completed the course');
      await window.close();
      const result = await fixture.result(registration);
      expect(result).toMatchObject({
        registrationCompletion: 'COMPLETED',
        registrationSuccess: 'PASSED',
        score: { scaled: 100 },
      });
      expect(result.totalSecondsTracked).toBeGreaterThan(0);
      const { runtime } = partOf(result, 0);
      expect(runtime).toMatchObject({ location: 'result', scoreRaw: '100' });
      expect(runtime?.runtimeInteractions).toEqual(
        Object.entries(firstAidAnswers).map(([id, value]) =>
          expect.objectContaining({
            id,
            type: 'Choice',
            result: 'correct',
            learnerResponse: value,
            correctResponses: [value],
          }),
        ),
      );
      expect(window.errors).toEqual([]);
    });

    it('records a failed quiz, and the passed one after it', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      const part = window.part(firstAid);
      await part.readToQuiz();
      const wrong = { ...firstAidAnswers, 'first-step': 'run', burn: 'ice' };
      await part.answer(wrong);
      const failed = await fixture.resultWhen(
        registration,
        'a score is recorded',
        ({ score }) => score !== undefined,
      );
      expect(failed).toMatchObject({ registrationSuccess: 'FAILED', score: { scaled: 60 } });
      await part.button('retry').click();
      await part.answer(firstAidAnswers);
      await part.button('finish').click();
      await window.close();
      const result = await resultAfterEnd(registration);
      expect(result).toMatchObject({ registrationSuccess: 'PASSED', score: { scaled: 100 } });
      expect(partOf(result, 0).runtime?.runtimeInteractions).toHaveLength(10);
    });

    it('resumes an attempt whose window was closed', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      const part = window.part(firstAid);
      await part.leaveFirstPage();
      await part.button('next').click();
      const title = (await part.content.getByRole('heading', { level: 1 }).textContent()) ?? '';
      await window.close();
      // The report of an earlier page may arrive before that of the closing window.
      const isKept = (result: RegistrationResult) =>
        String(partOf(result, 0).runtime?.['suspendData']).includes('"page":2');
      const result = await fixture.resultWhen(
        registration,
        'the state of page 2 is recorded',
        isKept,
      );
      expect(partOf(result, 0).runtime).toMatchObject({ exit: 'suspend' });
      expect(result).toMatchObject({ registrationCompletion: 'INCOMPLETE' });
      expect(result.suspendedActivityId).toBe(partOf(result, 0).id);
      const suspendData = partOf(result, 0).runtime?.['suspendData'];
      expect(JSON.parse(String(suspendData))).toMatchObject({ page: 2, visited: [0, 1, 2] });

      const again = await open(registration);
      await again.part(firstAid).heading(title).waitFor();
      await again.part(firstAid).play(firstAidAnswers);
      await again.close();
      const end = await resultAfterEnd(registration);
      expect(end).toMatchObject({ registrationCompletion: 'COMPLETED' });
      expect(partOf(end, 0)).toMatchObject({ attempts: 1, runtime: { entry: 'resume' } });
    });

    it('saves the data that content sets while its window closes', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      await window.part(firstAid).readToQuiz();
      await window.part(firstAid).answer(firstAidAnswers);
      // The content ends its session in its unload handler.
      await window.close();
      const result = await resultAfterEnd(registration);
      expect(partOf(result, 0).runtime).toMatchObject({ exit: '', runtimeSuccessStatus: 'PASSED' });
      const path = `registrations/${registration}/launchHistory`;
      // The report that ends the launch may be another one than the report with the result.
      await eventually('the launch has ended with its result', async () => {
        const { body } = await fixture.client.get<{
          launchHistory: readonly { exitTime?: string; successStatus: string }[];
        }>(path);
        const [launch] = body.launchHistory;
        return launch?.exitTime !== undefined && launch.successStatus === 'PASSED';
      });
    });

    it('opens the parts of a SCORM 2004 course from the table of contents', async () => {
      const registration = await fixture.register('fire-safety');
      const window = await open(registration);
      await window.entry(`${evacuation} Not started`).waitFor();
      await window.part(prevention).play(fireSafetyAnswers.prevention);
      await window.entry(`${prevention} Passed`).waitFor();
      expect(await window.entry(prevention).getAttribute('aria-current')).toBe('true');

      await window.entry(evacuation).click();
      await window.part(evacuation).leaveFirstPage();
      await window.entry(`${evacuation} In progress`).waitFor();
      expect(await window.entry(evacuation).getAttribute('aria-current')).toBe('true');
      expect(await window.entry(prevention).getAttribute('aria-current')).toBeNull();
      await window.close();
      const half = await fixture.resultWhen(
        registration,
        'the location of the second part is recorded',
        (result) => partOf(result, 1).runtime?.['location'] === 'leaving',
      );
      expect(half).toMatchObject({ registrationCompletion: 'INCOMPLETE' });

      const again = await open(registration);
      await again.part(evacuation).heading('Leaving the building').waitFor();
      await again.part(evacuation).play(fireSafetyAnswers.evacuation);
      await again.entry(`${evacuation} Passed`).waitFor();
      const result = await fixture.result(registration);
      expect(result).toMatchObject({
        registrationCompletion: 'COMPLETED',
        registrationSuccess: 'PASSED',
        score: { scaled: 100 },
      });
      expect(result.activityDetails.children.map(({ attempts }) => attempts)).toEqual([1, 1]);
      const ids = (at: number) =>
        partOf(result, at).runtime?.runtimeInteractions.map(({ id }) => id);
      expect(ids(0)).toEqual(Object.keys(fireSafetyAnswers.prevention));
      expect(ids(1)).toEqual(Object.keys(fireSafetyAnswers.evacuation));
      expect([...window.errors, ...again.errors]).toEqual([]);
    });

    it('saves on exit before it redirects', async () => {
      const registration = await fixture.register('fire-safety');
      const window = await open(registration, { redirectOnExitUrl: exitUrl() });
      await window.part(prevention).leaveFirstPage();
      await window.exit();
      await window.page.waitForURL(exitUrl(), { waitUntil: 'commit' });
      const result = await fixture.result(registration);
      expect(partOf(result, 0)).toMatchObject({
        suspended: true,
        runtime: { exit: 'suspend', location: 'habits' },
      });
    });

    it('shows a notice on exit if the launch link has no redirect URL', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, { redirectOnExitUrl: 'message' });
      await window.part(firstAid).leaveFirstPage();
      await window.exit();
      await window.waitForText('You have left the course');
      expect((await fixture.result(registration)).registrationCompletion).toBe('INCOMPLETE');
      await window.page.reload();
      await window.waitForText('This window has ended');
    });

    it('goes back to the redirect URL when the content of a single-part course ends itself', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, { redirectOnExitUrl: exitUrl() });
      await window.part(firstAid).play(firstAidAnswers);
      await window.page.waitForURL(exitUrl(), { waitUntil: 'commit' });
      expect(await fixture.result(registration)).toMatchObject({
        registrationCompletion: 'COMPLETED',
        hasOpenLaunch: false,
      });
    });

    it('shows how a single-part course ended: completed, failed or suspended', async () => {
      const failed = await open(await fixture.register('first-aid-basics'));
      const part = failed.part(firstAid);
      await part.readToQuiz();
      await part.answer({ ...firstAidAnswers, ...{ 'first-step': 'run', burn: 'ice' } });
      await part.button('finish').click();
      await failed.waitForText('You have not passed the course');

      const left = await open(await fixture.register('first-aid-basics'));
      await left.part(firstAid).leaveFirstPage();
      await left.exit();
      await left.waitForText('Open the course again to continue');
    });

    it('offers the way back from a window that has ended', async () => {
      const registration = await fixture.register('first-aid-basics');
      const older = await open(registration, { redirectOnExitUrl: exitUrl() });
      await older.part(firstAid).leaveFirstPage();
      await older.waitForText('Saved');
      const newer = await open(registration);
      await newer.waitForText('Saved');
      await older.part(firstAid).button('next').click();
      await older.waitForText('This window has ended');
      const wayBack = older.page.getByRole('link', { name: 'Go back' });
      expect(await wayBack.getAttribute('href')).toBe(exitUrl());

      const exited = await open(registration, { redirectOnExitUrl: exitUrl() });
      const address = exited.page.url();
      await exited.part(firstAid).leaveFirstPage();
      await exited.exit();
      await exited.page.waitForURL(exitUrl(), { waitUntil: 'commit' });
      await exited.page.goto(address);
      await exited.waitForText('This window has ended');
      await exited.page.getByRole('link', { name: 'Go back' }).click();
      await exited.page.waitForURL(exitUrl(), { waitUntil: 'commit' });
    });

    it('shows only buttons that work in a part of a sample course that has ended', async () => {
      const window = await open(await fixture.register('fire-safety'));
      const part = window.part(prevention);
      await part.readToQuiz();
      await part.answer({ 'fire-triangle': 'wind', chargers: 'bin' });
      await part.button('retry').waitFor();
      await part.button('finish').click();
      await part.content.getByText('You have finished this part.').waitFor();
      expect(await part.content.getByRole('button').allTextContents()).toEqual(['Back']);
      await part.button('back').click();
      await part.content.getByRole('heading', { level: 1 }).waitFor();
      expect(await part.content.getByRole('button').allTextContents()).toEqual(['Back', 'Next']);
      await part.button('next').click();
      await part.heading('Your result').waitFor();
      expect(window.errors).toEqual([]);
    });

    it('records nothing in a review', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, { tracking: false });
      const reports: string[] = [];
      window.page.on('request', (request) => {
        if (request.url().endsWith('/reports')) reports.push(request.url());
      });
      await window.waitForText('Review: nothing is recorded');
      await window.part(firstAid).play(firstAidAnswers);
      await window.waitForText('This was a review: nothing was recorded');
      expect(reports).toEqual([]);
      const result = await fixture.result(registration);
      expect(result).toMatchObject({ registrationCompletion: 'UNKNOWN', totalSecondsTracked: 0 });
      expect(result).not.toHaveProperty('firstAccessDate');
    });

    it('retries reports until the provider is reachable again', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      await window.waitForText('Saved');
      await window.page.route('**/reports', (route) => route.abort());
      await window.part(firstAid).play(firstAidAnswers);
      await window.waitForText('results are not saved yet');
      await window.page.unroute('**/reports');
      await window.waitForText('You have completed the course');
      const result = await fixture.result(registration);
      expect(result).toMatchObject({ registrationSuccess: 'PASSED', score: { scaled: 100 } });
      expect(partOf(result, 0).runtime?.runtimeInteractions).toHaveLength(5);
    });

    it('a report that overtakes the last data of a session does not complete the course', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      await window.waitForText('Saved');
      const overtaken = Promise.withResolvers<void>();
      let ends = 0;
      await window.page.route('**/reports', async (route) => {
        const { ended } = route.request().postDataJSON() as { ended: boolean };
        if (!ended) return route.continue();
        ends += 1;
        if (ends === 1) await overtaken.promise;
        await route.continue();
        if (ends === 1) return;
        await route.request().response();
        overtaken.resolve();
      });
      await window.exit();
      await window.waitForText('You have left the course');
      expect(ends).toBeGreaterThan(1);
      expect(await fixture.result(registration)).toMatchObject({
        registrationCompletion: 'INCOMPLETE',
      });
    });

    it('ends a window after the course was opened in a newer one', async () => {
      const registration = await fixture.register('first-aid-basics');
      const older = await open(registration);
      await older.waitForText('Saved');
      const hasNewer = Promise.withResolvers<void>();
      await older.page.route('**/reports', async (route) => {
        await hasNewer.promise;
        await route.continue();
      });
      const newer = await open(registration);
      await newer.waitForText('Saved');
      await older.part(firstAid).button('next').click();
      hasNewer.resolve();
      await older.waitForText('This window has ended');
      await newer.part(firstAid).play(firstAidAnswers);
      await newer.waitForText('You have completed the course');
      expect(await fixture.result(registration)).toMatchObject({ registrationSuccess: 'PASSED' });
    });

    it('shows a page without script or frame for an expired link', async () => {
      const key = await fixture.provider.app.get(LaunchLinkKeys).create();
      const redirectUrl = `${exitUrl()}&b="c`;
      const claims = {
        registration: 1,
        generation: 0,
        id: 'a'.repeat(32),
        label: randomUUID(),
        ...plainLaunch,
        redirectUrl,
      };
      const token = await signLaunch(claims, 30, key, new Date(Date.now() - 60_000));
      const window = await fixture.open(`${fixture.provider.url}/launch/${token}`);
      await window.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
      expect(await window.page.locator('iframe, script').count()).toBe(0);
      const wayBack = window.page.getByRole('link', { name: 'Go back' });
      expect(await wayBack.getAttribute('href')).toBe(claims.redirectUrl);
    });
  });
}
