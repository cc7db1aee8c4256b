import { beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import type { CourseWindow, PlayerFixture } from './player.fixture.ts';

/** A SCO that sets the elements in its field, which semicolons separate, and ends its session. */
const sco = `<!doctype html>
<title>SCO</title>
<textarea aria-label="Elements"></textarea><button>Set</button><button>End</button>
<output></output>
<script>
  const api = window.parent.API_1484_11 ?? window.parent.API;
  const is2004 = api === window.parent.API_1484_11;
  const [begin, get, set, end] = is2004
    ? ['Initialize', 'GetValue', 'SetValue', 'Terminate']
    : ['LMSInitialize', 'LMSGetValue', 'LMSSetValue', 'LMSFinish'];
  api[begin]('');
  const show = () => {
    const valid = (request) => api[get]('adl.nav.request_valid.' + request);
    document.querySelector('output').textContent = is2004
      ? [valid('previous'), valid('continue'), valid('choice.{target=test}'),
          api[get]('adl.data.0.store')].join(' ').trim()
      : '';
  };
  show();
  const apply = () => {
    for (const line of document.querySelector('textarea').value.split(';').filter(Boolean)) {
      const [element, value] = line.split('=');
      api[set](element, value);
    }
  };
  const [setButton, endButton] = document.querySelectorAll('button');
  setButton.onclick = () => { apply(); show(); };
  endButton.onclick = () => { apply(); api[end](''); };
</script>`;

const item = (id: string, inside = '') =>
  `<item identifier="${id}" identifierref="page"><title>Part ${id}</title>${inside}</item>`;
const resource =
  '<resource identifier="page" type="webcontent" adlcp:scormType="sco" adlcp:scormtype="sco" href="sco.html"/>';
const sequencing = (inside: string) => `<imsss:sequencing>${inside}</imsss:sequencing>`;
const flowing = '<imsss:controlMode flow="true"/>';
const preCondition = (action: string, condition: string, operator = 'noOp') =>
  `<imsss:sequencingRules><imsss:preConditionRule><imsss:ruleConditions><imsss:ruleCondition
     condition="${condition}" operator="${operator}" referencedObjective="lesson-done"/></imsss:ruleConditions>
     <imsss:ruleAction action="${action}"/></imsss:preConditionRule></imsss:sequencingRules>
   <imsss:objectives><imsss:primaryObjective/><imsss:objective objectiveID="lesson-done">
     <imsss:mapInfo targetObjectiveID="lesson-done"/></imsss:objective></imsss:objectives>`;
const writes = `<imsss:objectives><imsss:primaryObjective objectiveID="own">
  <imsss:mapInfo targetObjectiveID="lesson-done" writeSatisfiedStatus="true"/></imsss:primaryObjective></imsss:objectives>`;

const importCourse = async (
  { client }: PlayerFixture,
  id: string,
  items: string,
  standard: '1.2' | '2004 4th Edition' = '2004 4th Edition',
) => {
  const manifest = makeManifest(items, resource, standard);
  const job = await client.import(
    id,
    await makeZip({ 'imsmanifest.xml': manifest, 'sco.html': sco }),
  );
  expect(job).toMatchObject({ status: 'COMPLETE' });
};

/** Tests how the player obeys the sequencing of a manifest. */
export function describeSequencing(player: () => PlayerFixture): void {
  describe('the player, in a course with sequencing', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = player();
      // A test that opens once the status of the lesson is known, and an end that hides what it replaces.
      await importCourse(
        fixture,
        'locked',
        item('lesson', sequencing(writes)) +
          item('test', sequencing(preCondition('disabled', 'objectiveStatusKnown', 'not'))) +
          item(
            'end',
            `<adlnav:presentation xmlns:adlnav="http://www.adlnet.org/xsd/adlnav_v1p3"><adlnav:navigationInterface>
               <adlnav:hideLMSUI>previous</adlnav:hideLMSUI><adlnav:hideLMSUI>suspendAll</adlnav:hideLMSUI>
             </adlnav:navigationInterface></adlnav:presentation>`,
          ) +
          sequencing(flowing),
      );
      await importCourse(
        fixture,
        'choice',
        item('a', '<adlcp:data><adlcp:map targetID="note"/></adlcp:data>') +
          `<item identifier="group"><title>Group</title>${item(
            'b',
            '<adlcp:data><adlcp:map targetID="note" writeSharedData="false"/></adlcp:data>',
          )}${sequencing(flowing)}</item>` +
          sequencing('<imsss:deliveryControls tracked="true"/>'),
      );
      await importCourse(
        fixture,
        'old',
        item('a') + item('b', '<adlcp:prerequisites type="aicc_script">a</adlcp:prerequisites>'),
        '1.2',
      );
    });

    const begin = async (course: string, learner: string) => {
      const registration = await fixture.client.register(course, learner);
      return { registration, window: await launch(registration) };
    };
    const launch = async (registration: string) =>
      fixture.open(await fixture.launchLink(registration, { redirectOnExitUrl: 'message' }));
    const press = (window: CourseWindow, name: string) =>
      window.page.getByRole('button', { name, exact: true }).click();
    const content = (window: CourseWindow, part: string) => window.part(part).content;
    const send = async (
      window: CourseWindow,
      part: string,
      button: 'Set' | 'End',
      lines: string,
    ) => {
      await content(window, part).getByLabel('Elements').fill(lines);
      await content(window, part).getByRole('button', { name: button }).click();
    };
    const shown = (window: CourseWindow, part: string) =>
      content(window, part).getByRole('status').textContent();

    it('shows why a part is not available, and opens it once its rule allows', async () => {
      const { window } = await begin('locked', 'locked@example.com');
      expect(await shown(window, 'Part lesson')).toBe('false false false');
      const test = window.entry('Part test');
      await test.and(window.page.locator('[aria-disabled="true"]')).waitFor();
      expect(await test.getAttribute('aria-description')).toBe('This part is not available now.');
      await send(window, 'Part lesson', 'Set', 'cmi.success_status=passed');
      await test.and(window.page.locator(':not([aria-disabled])')).waitFor();
      await send(window, 'Part lesson', 'Set', '');
      expect(await shown(window, 'Part lesson')).toBe('false true true');
      await press(window, 'Continue');
      await content(window, 'Part test').getByLabel('Elements').waitFor();
      await press(window, 'Previous');
      await content(window, 'Part lesson').getByLabel('Elements').waitFor();
      expect(window.errors).toEqual([]);
    });

    it('hides the buttons that content replaces, and ends the course after its last part', async () => {
      const { registration, window } = await begin('locked', 'hidden@example.com');
      await send(window, 'Part lesson', 'Set', 'cmi.success_status=passed');
      await window.entry('Part test').and(window.page.locator(':not([aria-disabled])')).waitFor();
      await window.entry('Part end').click();
      await content(window, 'Part end').getByLabel('Elements').waitFor();
      const isVisible = (name: string) =>
        window.page.getByRole('button', { name, exact: true }).isVisible();
      expect([await isVisible('Previous'), await isVisible('Exit')]).toEqual([false, false]);
      expect([await isVisible('Continue'), await isVisible('End course')]).toEqual([true, true]);
      await send(
        window,
        'Part end',
        'End',
        'cmi.completion_status=completed;adl.nav.request=continue',
      );
      await window.waitForText('You have left the course');
      expect(await fixture.result(registration)).toMatchObject({ hasOpenLaunch: false });
    });

    it('leaves the course when End course is pressed while content ends it', async () => {
      const { registration, window } = await begin('locked', 'impatient@example.com');
      await content(window, 'Part lesson').getByLabel('Elements').waitFor();
      const pressed = Promise.withResolvers<void>();
      await window.page.route(
        '**/navigation',
        async (route) => {
          await pressed.promise;
          await route.continue();
        },
        { times: 1 },
      );
      const requested = window.page.waitForRequest('**/navigation');
      await send(window, 'Part lesson', 'End', 'adl.nav.request=exitAll');
      await requested;
      await press(window, 'End course');
      pressed.resolve();
      await window.waitForText('You have left the course');
      expect(await fixture.result(registration)).toMatchObject({ hasOpenLaunch: false });
    });

    it('leaves by End course before a part was opened', async () => {
      const { window } = await begin('choice', 'leaver@example.com');
      await window.waitForText('Choose a part of the course.');
      await press(window, 'End course');
      await window.waitForText('You have left the course');
    });

    it('starts with a choice in a course without flow, with groups and the course in the contents', async () => {
      const { window } = await begin('choice', 'chooser@example.com');
      await window.waitForText('Choose a part of the course.');
      expect(await window.page.getByRole('button', { name: 'Continue' }).isVisible()).toBe(false);
      await window.entry('Made course').waitFor();
      await window.entry('Group').click();
      await content(window, 'Part b').getByLabel('Elements').waitFor();
    });

    it('keeps shared data between parts and launches, and obeys who may write them', async () => {
      const { window } = await begin('choice', 'sharer@example.com');
      await window.entry('Part a').click();
      await send(window, 'Part a', 'End', 'adl.data.0.store=noted');
      await window.entry('Part b').click();
      expect(await shown(window, 'Part b')).toBe('false true false noted');
      await send(window, 'Part b', 'Set', 'adl.data.0.store=changed');
      expect(await shown(window, 'Part b')).toBe('false true false noted');
      await press(window, 'Exit');
      await window.waitForText('You have left the course');
      // The data belong to the learner (sharedDataGlobalToSystem).
      const { registration, window: other } = await begin('choice', 'sharer@example.com');
      await other.entry('Part b').click();
      expect(await shown(other, 'Part b')).toBe('false true false noted');
      expect(await fixture.result(registration)).toMatchObject({
        sharedData: [{ id: 'note', value: 'noted' }],
      });
    });

    it('resumes the part of a window that was killed, in another window', async () => {
      const { registration, window } = await begin('locked', 'killed@example.com');
      await send(
        window,
        'Part lesson',
        'End',
        'cmi.success_status=passed;adl.nav.request=continue',
      );
      await send(window, 'Part test', 'Set', 'cmi.location=page 3');
      await fixture.resultWhen(
        registration,
        'the location is recorded',
        ({ activityDetails }) => activityDetails.children[1]?.runtime?.['location'] === 'page 3',
      );
      await window.kill();
      const again = await launch(registration);
      await content(again, 'Part test').getByLabel('Elements').waitFor();
      expect(await again.entry('Part test').getAttribute('aria-current')).toBe('true');
      const { activityDetails } = await fixture.result(registration);
      expect(activityDetails.children[1]).toMatchObject({ attempts: 1 });
    });

    it('resumes after Exit, and begins again after End course', async () => {
      const { registration, window } = await begin('locked', 'leaver@example.com');
      await send(
        window,
        'Part lesson',
        'End',
        'cmi.success_status=passed;adl.nav.request=continue',
      );
      await content(window, 'Part test').getByLabel('Elements').waitFor();
      await press(window, 'Exit');
      await window.waitForText('You have left the course');
      const again = await launch(registration);
      await content(again, 'Part test').getByLabel('Elements').waitFor();
      await press(again, 'End course');
      await again.waitForText('You have left the course');
      const last = await launch(registration);
      await content(last, 'Part lesson').getByLabel('Elements').waitFor();
    });

    it('opens a part of SCORM 1.2 once its prerequisites are fulfilled', async () => {
      const { window } = await begin('old', 'old@example.com');
      const locked = window.entry('Part b');
      await locked.and(window.page.locator('[aria-disabled="true"]')).waitFor();
      expect(await locked.getAttribute('title')).toBe('Other parts have to be completed first.');
      await send(window, 'Part a', 'End', 'cmi.core.lesson_status=completed');
      await locked.and(window.page.locator(':not([aria-disabled])')).waitFor();
      await press(window, 'Continue');
      await content(window, 'Part b').getByLabel('Elements').waitFor();
    });
  });
}
