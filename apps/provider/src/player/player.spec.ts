import { fireSafetyAnswers, firstAidAnswers } from '#libs/sample-courses';
import { chromiumForTests } from '#libs/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { signLaunch } from '../launches/launch-link.ts';
import { SigningKey } from '../launches/signing-key.ts';
import { describeNavigation } from './navigation.fixture.ts';
import { type PlayerFixture, startPlayerFixture, type Told } from './player.fixture.ts';

const firstAid = 'First aid basics';
const prevention = 'Preventing fire';
const evacuation = 'When the alarm sounds';
const chromium = chromiumForTests();

describe('the sources of the player', () => {
  it('name no address but their own', async () => {
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

if (chromium) {
  describePlayer(chromium);
  describeNavigation(chromium);
}

function describePlayer(executablePath: string): void {
  describe('the player', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = await startPlayerFixture(executablePath);
    }, 60_000);
    afterAll(() => fixture.stop());

    const open = async (registration: string, options: object = {}) =>
      fixture.open(await fixture.launchLink(registration, options));
    const partOf = (told: Told, at: number) => {
      const part = told.activityDetails.children[at];
      if (!part) throw new Error(`the course has no part ${at}`);
      return part;
    };
    /** Where learners go after the course: some page that is there. */
    const away = () => `${fixture.provider.url}/player/player.css?from=course`;

    it('tells the result of a SCORM 1.2 quiz: completion, success, score, time, answers', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      await window.part(firstAid).play(firstAidAnswers);
      await window.says('The course has ended');
      await window.close();
      const told = await fixture.toldOnce(registration, (now) => !partOf(now, 0).suspended);
      expect(told).toMatchObject({
        registrationCompletion: 'COMPLETED',
        registrationSuccess: 'PASSED',
        score: { scaled: 100 },
      });
      expect(told.totalSecondsTracked).toBeGreaterThan(0);
      const { runtime } = partOf(told, 0);
      expect(runtime).toMatchObject({ location: 'result', scoreRaw: '100' });
      expect(runtime?.runtimeInteractions).toEqual(
        Object.entries(firstAidAnswers).map(([id, value]) =>
          expect.objectContaining({
            ...{ id, type: 'Choice', result: 'correct' },
            ...{ learnerResponse: value, correctResponses: [value] },
          }),
        ),
      );
      expect(window.complaints).toEqual([]);
    });

    it('tells a quiz that went wrong, and the better one after it', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      const part = window.part(firstAid);
      await part.readToQuiz();
      const wrong = { ...firstAidAnswers, 'first-step': 'run', burn: 'ice' };
      await part.answer(wrong);
      const failed = await fixture.toldOnce(registration, (now) => now.score !== undefined);
      expect(failed).toMatchObject({ registrationSuccess: 'FAILED', score: { scaled: 60 } });
      await part.button('retry').click();
      await part.answer(firstAidAnswers);
      await part.button('finish').click();
      await window.close();
      const told = await fixture.toldOnce(registration, (now) => !partOf(now, 0).suspended);
      expect(told).toMatchObject({ registrationSuccess: 'PASSED', score: { scaled: 100 } });
      expect(partOf(told, 0).runtime?.runtimeInteractions).toHaveLength(10);
    });

    it('keeps what was done in a window that is closed, and goes on there', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      const part = window.part(firstAid);
      await part.button('next').click();
      await part.button('next').click();
      const title = (await part.content.getByRole('heading', { level: 1 }).textContent()) ?? '';
      await window.close();
      // The report of an earlier page may come before that of the closing window.
      const kept = (now: Told) =>
        String(partOf(now, 0).runtime?.['suspendData']).includes('"page":2');
      const told = await fixture.toldOnce(registration, kept);
      expect(partOf(told, 0).runtime).toMatchObject({ exit: 'suspend' });
      expect(told).toMatchObject({ registrationCompletion: 'INCOMPLETE' });
      expect(told.suspendedActivityId).toBe(partOf(told, 0).id);
      const suspendData = partOf(told, 0).runtime?.['suspendData'];
      expect(JSON.parse(String(suspendData))).toMatchObject({ page: 2, visited: [0, 1, 2] });

      const again = await open(registration);
      await again.part(firstAid).heading(title).waitFor();
      await again.part(firstAid).play(firstAidAnswers);
      await again.close();
      const end = await fixture.toldOnce(registration, (now) => !partOf(now, 0).suspended);
      expect(end).toMatchObject({ registrationCompletion: 'COMPLETED' });
      expect(partOf(end, 0)).toMatchObject({ attempts: 1, runtime: { entry: 'resume' } });
    });

    it('hears the last words of a course while its window closes', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      await window.part(firstAid).readToQuiz();
      await window.part(firstAid).answer(firstAidAnswers);
      // The course ends its session only now: its quiz is passed.
      await window.close();
      const told = await fixture.toldOnce(registration, (now) => !partOf(now, 0).suspended);
      expect(partOf(told, 0).runtime).toMatchObject({ exit: '', runtimeSuccessStatus: 'PASSED' });
      const path = `registrations/${registration}/launchHistory`;
      const { body } = await fixture.client.get(path);
      expect(body).toMatchObject({
        launchHistory: [{ exitTime: expect.any(String) as unknown, successStatus: 'PASSED' }],
      });
    });

    it('leads through the parts of a SCORM 2004 course by its table of contents', async () => {
      const registration = await fixture.register('fire-safety');
      const window = await open(registration);
      await window.entry(`${evacuation} Not started`).waitFor();
      await window.part(prevention).play(fireSafetyAnswers.prevention);
      await window.entry(`${prevention} Passed`).waitFor();
      expect(await window.entry(prevention).getAttribute('aria-current')).toBe('true');

      await window.entry(evacuation).click();
      await window.part(evacuation).button('next').click();
      await window.entry(`${evacuation} In progress`).waitFor();
      expect(await window.entry(evacuation).getAttribute('aria-current')).toBe('true');
      expect(await window.entry(prevention).getAttribute('aria-current')).toBeNull();
      await window.close();
      const half = await fixture.toldOnce(
        registration,
        (now) => partOf(now, 1).runtime?.['location'] === 'leaving',
      );
      expect(half).toMatchObject({ registrationCompletion: 'INCOMPLETE' });

      const again = await open(registration);
      await again.part(evacuation).heading('Leaving the building').waitFor();
      await again.part(evacuation).play(fireSafetyAnswers.evacuation);
      await again.entry(`${evacuation} Passed`).waitFor();
      const told = await fixture.told(registration);
      expect(told).toMatchObject({
        registrationCompletion: 'COMPLETED',
        registrationSuccess: 'PASSED',
        score: { scaled: 100 },
      });
      expect(told.activityDetails.children.map(({ attempts }) => attempts)).toEqual([1, 1]);
      const ids = (at: number) => partOf(told, at).runtime?.runtimeInteractions.map(({ id }) => id);
      expect(ids(0)).toEqual(Object.keys(fireSafetyAnswers.prevention));
      expect(ids(1)).toEqual(Object.keys(fireSafetyAnswers.evacuation));
      expect([...window.complaints, ...again.complaints]).toEqual([]);
    });

    it('saves at the exit before it leads back', async () => {
      const registration = await fixture.register('fire-safety');
      const window = await open(registration, { redirectOnExitUrl: away() });
      await window.part(prevention).button('next').click();
      await window.exit();
      await window.page.waitForURL(away(), { waitUntil: 'commit' });
      const told = await fixture.told(registration);
      expect(partOf(told, 0)).toMatchObject({
        suspended: true,
        runtime: { exit: 'suspend', location: 'habits' },
      });
    });

    it('says that the course was left where it leads nowhere', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, { redirectOnExitUrl: 'message' });
      await window.part(firstAid).button('next').click();
      await window.exit();
      await window.says('You have left the course');
      expect((await fixture.told(registration)).registrationCompletion).toBe('INCOMPLETE');
      await window.page.reload();
      await window.says('This link has expired');
    });

    it('tracks nothing in a review', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration, { tracking: false });
      const reports: string[] = [];
      window.page.on('request', (request) => {
        if (request.url().endsWith('/reports')) reports.push(request.url());
      });
      await window.says('Review: nothing is recorded');
      await window.part(firstAid).play(firstAidAnswers);
      await window.exit();
      await window.says('You have left the course');
      expect(reports).toEqual([]);
      const told = await fixture.told(registration);
      expect(told).toMatchObject({ registrationCompletion: 'UNKNOWN', totalSecondsTracked: 0 });
      expect(told).not.toHaveProperty('firstAccessDate');
    });

    it('goes on saving when the provider is back', async () => {
      const registration = await fixture.register('first-aid-basics');
      const window = await open(registration);
      await window.says('Saved');
      await window.page.route('**/reports', (route) => route.abort());
      await window.part(firstAid).play(firstAidAnswers);
      await window.says('Not saved yet');
      await window.page.unroute('**/reports');
      await window.page.getByText('Saved', { exact: true }).waitFor();
      const told = await fixture.told(registration);
      expect(told).toMatchObject({ registrationSuccess: 'PASSED', score: { scaled: 100 } });
      expect(partOf(told, 0).runtime?.runtimeInteractions).toHaveLength(5);
    });

    it('ends a window when the course was opened in a newer one', async () => {
      const registration = await fixture.register('first-aid-basics');
      const older = await open(registration);
      await older.says('Saved');
      const newer = await open(registration);
      await newer.says('Saved');
      await older.part(firstAid).button('next').click();
      await older.says('This window has ended');
      await newer.part(firstAid).play(firstAidAnswers);
      await newer.exit();
      await newer.says('You have left the course');
      expect(await fixture.told(registration)).toMatchObject({ registrationSuccess: 'PASSED' });
    });

    it('shows a plain page for a link that has expired', async () => {
      const key = await fixture.provider.app.get(SigningKey).get();
      const claims = { registration: 1, tracking: true, redirectUrl: null };
      const token = await signLaunch(claims, 30, key, new Date(Date.now() - 60_000));
      const window = await fixture.open(`${fixture.provider.url}/launch/${token}`);
      await window.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
      expect(await window.page.locator('iframe, script').count()).toBe(0);
    });
  });
}
