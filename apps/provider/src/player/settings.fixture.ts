import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import { violationsIn } from './accessibility.fixture.ts';
import { CourseWindow, type PlayerFixture } from './player.fixture.ts';

/** A SCO that commits a location at each click, and ends its session with a status. */
const sco = `<!doctype html>
<title>SCO</title>
<button>Commit</button><button>Complete</button><button>Fail</button>
<script>
  const api = window.parent.API ?? window.parent.API_1484_11;
  const is2004 = api !== window.parent.API;
  const call = (name, ...values) => api[(is2004 ? '' : 'LMS') + name](...values);
  call('Initialize', '');
  let place = 0;
  const [commit, complete, fail] = document.querySelectorAll('button');
  commit.onclick = () => {
    call('SetValue', is2004 ? 'cmi.location' : 'cmi.core.lesson_location', String((place += 1)));
    call('Commit', '');
  };
  const end = (status) => {
    call('SetValue', is2004 ? 'cmi.completion_status' : 'cmi.core.lesson_status', status);
    call(is2004 ? 'Terminate' : 'Finish', '');
  };
  complete.onclick = () => end('completed');
  fail.onclick = () => end('failed');
</script>`;

const items = (ids: readonly string[]) =>
  ids
    .map((id) => `<item identifier="${id}" identifierref="page"><title>Part ${id}</title></item>`)
    .join('');
const page =
  '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" adlcp:scormType="sco" href="sco.html"/>';
const packageOf = (manifest: string) => makeZip({ 'imsmanifest.xml': manifest, 'sco.html': sco });
const flowing = '<imsss:sequencing><imsss:controlMode flow="true"/></imsss:sequencing>';

/** Tests the settings of courses that learners see in the player. */
export function describeSettings(player: () => PlayerFixture): void {
  describe('the player of a course with settings', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = player();
      const { client } = fixture;
      await client.import('two', await packageOf(makeManifest(items(['a', 'b']), page)));
      await client.import('one', await packageOf(makeManifest(items(['a']), page)));
      const sequenced = makeManifest(items(['a', 'b']) + flowing, page, '2004 4th Edition');
      await client.import('flowing', await packageOf(sequenced));
    });

    const begin = async (
      course: string,
      settings: Readonly<Record<string, string>>,
      options: object = { redirectOnExitUrl: 'message' },
    ) => {
      const registration = await fixture.client.register(course);
      const made = Object.entries(settings).map(([settingId, value]) => ({ settingId, value }));
      const path = `registrations/${registration}/configuration`;
      const { status } = await fixture.client.sendJson('POST', path, { settings: made });
      expect(status).toBe(204);
      const window = await fixture.open(await fixture.launchLink(registration, options));
      return { registration, window };
    };
    const end = (window: CourseWindow, part: string, name = 'Complete') =>
      window.part(part).content.getByRole('button', { name }).click();
    const opensPart = (window: CourseWindow, part: string) =>
      window.part(part).content.getByRole('button', { name: 'Commit' }).waitFor();

    it('goes to the next part when one ends, and then leaves the course, as exit actions say', async () => {
      const { window } = await begin('two', {
        PlayerIntermediateScoSatisfiedNormalExitAction: 'GO_TO_NEXT_SCO',
        PlayerFinalScoCourseSatisfiedNormalExitAction: 'EXIT_COURSE',
      });
      await end(window, 'Part a');
      await end(window, 'Part b');
      await window.waitForText('You have completed the course');
      expect(window.errors).toEqual([]);
    });

    it('leaves the course after a question, as an exit action says', async () => {
      const { window } = await begin('one', {
        PlayerFinalScoCourseSatisfiedNormalExitAction: 'EXIT_COURSE_AFTER_CONFIRM',
      });
      await end(window, 'Part a');
      await window.page.getByRole('dialog', { name: 'Do you want to leave' }).waitFor();
      expect(await violationsIn(window.page)).toEqual([]);
      await window.page.getByRole('button', { name: 'Stay' }).click();
      await window.waitForText('This part has ended.');
      await window.page.reload();
      await end(window, 'Part a');
      await window.page.getByRole('button', { name: 'Leave the course' }).click();
      await window.waitForText('You have completed the course');
    });

    it('shows a message or does nothing when the only part ends, as exit actions say', async () => {
      const { window } = await begin('one', {
        PlayerFinalScoCourseSatisfiedNormalExitAction: 'DISPLAY_MESSAGE',
        PlayerFinalScoCourseNotSatisfiedNormalExitAction: 'DO_NOTHING',
      });
      await end(window, 'Part a');
      await window.waitForText('This part has ended.');
      await window.page.reload();
      await opensPart(window, 'Part a');
      const saved = window.page.waitForResponse(
        (response) =>
          response.url().endsWith('/reports') &&
          response.request().postData()?.includes('"ended":true') === true,
      );
      await end(window, 'Part a', 'Fail');
      await saved;
      expect(await window.page.locator('#message').isVisible()).toBe(false);
      await opensPart(window, 'Part a');
    });

    it.each([
      ['SELECTABLE', ['End course', 'Exit']],
      ['SUSPEND_ALL', ['Exit']],
      ['EXIT_ALL', ['End course']],
    ])('shows the buttons of PlayerReturnToLmsAction %s: %j', async (action, names) => {
      const { window } = await begin('flowing', { PlayerReturnToLmsAction: action });
      await opensPart(window, 'Part a');
      const buttons = window.page.getByRole('banner').getByRole('button', { name: /End|Exit/ });
      expect(await buttons.allInnerTexts()).toEqual(names);
      await buttons.first().click();
      await window.waitForText('You have left the course');
    });

    it('reports changes and commits as often as PlayerCommCommitFrequency says', async () => {
      const { window } = await begin('one', { PlayerCommCommitFrequency: '60000' });
      await opensPart(window, 'Part a');
      const locations: string[] = [];
      window.page.on('request', (request) => {
        const location = /"lesson_location":"(\d+)"/.exec(request.postData() ?? '')?.[1];
        if (request.url().endsWith('/reports') && location) locations.push(location);
      });
      for (let click = 0; click < 3; click += 1) await end(window, 'Part a', 'Commit');
      expect(locations).toEqual([]);
      await window.exit();
      await window.waitForText('You have left the course');
      expect(locations).toEqual(['3']);
    });

    const popupOf = async (window: CourseWindow, opens: () => Promise<unknown>) => {
      const [popup] = await Promise.all([window.page.waitForEvent('popup'), opens()]);
      return new CourseWindow(window.context, popup);
    };
    const click = (page: Page) => page.getByRole('button', { name: 'Open the course' }).click();

    it('opens in a new window of the desired size, and the first one goes on after it', async () => {
      const redirectOnExitUrl = `${fixture.provider.url}/player/any/player.css?from=course`;
      const { window, registration } = await begin(
        'one',
        {
          PlayerLaunchType: 'NEW_WINDOW_AFTER_CLICK_WITHOUT_BROWSER_TOOLBAR',
          PlayerDesiredWidth: '640',
          PlayerDesiredHeight: '480',
        },
        { redirectOnExitUrl, launchAuth: { type: 'cookies' } },
      );
      await window.waitForText('The course opens in a new window.');
      expect(await violationsIn(window.page)).toEqual([]);
      const course = await popupOf(window, () => click(window.page));
      await opensPart(course, 'Part a');
      const size = await course.page.evaluate('[innerWidth, innerHeight]');
      expect(size).toEqual([640, 480]);
      const closed = course.page.waitForEvent('close');
      await end(course, 'Part a');
      await closed;
      await window.page.waitForURL(redirectOnExitUrl);
      expect(await fixture.result(registration)).toMatchObject({
        registrationCompletion: 'COMPLETED',
      });
      expect([...window.errors, ...course.errors]).toEqual([]);
    });

    it('shows that the window has ended when the provider refuses to describe the course to the first one', async () => {
      const { window } = await begin('one', { PlayerLaunchType: 'NEW_WINDOW_AFTER_CLICK' });
      await window.waitForText('The course opens in a new window.');
      await window.page.route('**/course', (route) => route.fulfill({ status: 410 }));
      await window.page.reload();
      await window.waitForText('Nothing more can be saved here.');
    });

    it('opens in a new window by itself, and again after that was closed', async () => {
      const registration = await fixture.client.register('one');
      const settings = [{ settingId: 'PlayerLaunchType', value: 'NEW_WINDOW' }];
      const path = `registrations/${registration}/configuration`;
      await fixture.client.sendJson('POST', path, { settings });
      const link = await fixture.launchLink(registration, { redirectOnExitUrl: 'message' });
      const window = await fixture.open('about:blank');
      const first = await popupOf(window, () => window.page.goto(link));
      await opensPart(first, 'Part a');
      await first.close();
      await window.waitForText('The window of the course was closed.');
      const second = await popupOf(window, () => click(window.page));
      await opensPart(second, 'Part a');
      await second.exit();
      await window.waitForText('You have left the course');
    });
  });
}
