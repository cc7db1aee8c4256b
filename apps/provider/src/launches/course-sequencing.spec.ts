import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import {
  type CourseWindow,
  type LaunchesFixture,
  startLaunchesFixture,
} from './launches.fixture.ts';
import type { Navigated } from './navigate-course.ts';

const objectives = (more: string) => `<imsss:objectives><imsss:primaryObjective objectiveID="own">
  <imsss:mapInfo targetObjectiveID="shared" writeSatisfiedStatus="true" readNormalizedMeasure="false"/></imsss:primaryObjective></imsss:objectives>${more}`;
const skip = `<imsss:sequencingRules><imsss:preConditionRule><imsss:ruleConditions>
  <imsss:ruleCondition condition="satisfied"/></imsss:ruleConditions><imsss:ruleAction action="skip"/>
  </imsss:preConditionRule></imsss:sequencingRules>`;
const item = (id: string, inside = '') =>
  `<item identifier="${id}" identifierref="page"><title>${id}</title>${inside}</item>`;
const sequencing = (inside: string) => `<imsss:sequencing>${inside}</imsss:sequencing>`;

/** A course of three parts, of which the second is skipped once its objective is satisfied. */
const course = (toSystem: boolean) =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      item('a') +
        item('b', sequencing(objectives(skip))) +
        item('c') +
        sequencing('<imsss:controlMode flow="true"/>'),
      '<resource identifier="page" adlcp:scormType="sco" href="page.html"/>',
      '2004 4th Edition',
    ).replace('<organization ', `<organization adlseq:objectivesGlobalToSystem="${toSystem}" `),
    'page.html': '',
  });

describe('the sequencing of a registration', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
    await fixture.client.import('to-system', await course(true));
    await fixture.client.import('to-attempt', await course(false));
  });
  afterAll(() => fixture?.stop());

  const register = (courseId: string, learner: string = randomUUID()) =>
    fixture.client.register(courseId, learner);
  const go = async (
    window: CourseWindow,
    command: 'start' | 'continue' | 'exitAll' | 'suspendAll',
  ) => idOf(await window.navigate({ command }));
  const idOf = ({ activity, ended, refusal }: Navigated) =>
    activity?.id ?? (ended ? 'ended' : refusal);
  /** Ends the content of an activity with this data. */
  const end = async (window: CourseWindow, opened: Navigated, runtime: object) => {
    const activityId = opened.activity?.id ?? '';
    const position = { activityId, sitting: opened.activity?.sitting ?? 0, sequence: 1 };
    const answer = await window.report(position, {}, { runtime, ended: true });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { available: Navigated['available'] };
  };

  it('the state is stored with the registration, so that every replica goes on with it', async () => {
    const registration = await register('to-attempt');
    const window = await fixture.open(registration);
    expect(await go(window, 'start')).toBe('a');
    expect(await go(window, 'continue')).toBe('b');
    const replica = await fixture.provider.replica();
    const { port } = new URL(replica.url);
    const address = new URL(window.address);
    address.port = port;
    const elsewhere = window.at(address.href);
    expect(await go(elsewhere, 'continue')).toBe('c');
    await replica.stop();
    // The window is loaded again after its process was killed.
    expect(await go(window, 'start')).toBe('c');
  });

  it('a report changes what is available', async () => {
    const window = await fixture.open(await register('to-attempt'));
    await go(window, 'start');
    const opened = await window.navigate({ command: 'choice', target: 'b' });
    const { available } = await end(window, opened, { success_status: 'passed' });
    expect(available).toMatchObject({ continue: null, previous: null });
    expect(await go(window, 'continue')).toBe('c');
    const { available: later } = await window.navigate({ command: 'previous' });
    expect(later.choices).toMatchObject({ a: null, c: null });
  });

  it('returns 409 for a window after the course was opened in a newer one', async () => {
    const registration = await register('to-attempt');
    const older = await fixture.open(registration);
    const opened = await older.navigate({ command: 'start' });
    const newer = await fixture.open(registration);
    expect(await go(newer, 'start')).toBe('a');
    const request = { command: 'continue', current: null };
    expect((await older.post('navigation', request)).status).toBe(409);
    const position = { activityId: 'a', sitting: opened.activity?.sitting ?? 0, sequence: 1 };
    expect((await older.report(position, {})).status).toBe(409);
    expect(await go(newer, 'continue')).toBe('b');
  });

  it('objectives that are global to the system belong to the learner', async () => {
    const learner = randomUUID();
    const pass = async (courseId: string) => {
      const window = await fixture.open(await register(courseId, learner));
      await go(window, 'start');
      await end(window, await window.navigate({ command: 'continue' }), {
        success_status: 'passed',
      });
    };
    await pass('to-system');
    const again = await fixture.open(await register('to-system', learner));
    await go(again, 'start');
    expect(await go(again, 'continue')).toBe('c');
    const other = await fixture.open(await register('to-system'));
    await go(other, 'start');
    expect(await go(other, 'continue')).toBe('b');
  });

  it('objectives that are not global to the system end with the attempt on the course', async () => {
    const registration = await register('to-attempt');
    const window = await fixture.open(registration);
    await end(window, await window.navigate({ command: 'start' }), {});
    await end(window, await window.navigate({ command: 'continue' }), { success_status: 'passed' });
    expect((await fixture.client.get(`registrations/${registration}`)).body).toMatchObject({
      globalObjectives: [{ id: 'shared', objectiveSuccess: 'PASSED' }],
    });
    expect(await go(window, 'exitAll')).toBe('ended');
    expect(await go(window, 'start')).toBe('a');
    expect(await go(window, 'continue')).toBe('b');
  });

  it('the result of a course follows its rollup rules, and outlives another attempt', async () => {
    const registration = await register('to-attempt');
    const window = await fixture.open(registration);
    const result = async () => (await fixture.client.get(`registrations/${registration}`)).body;
    let opened = await window.navigate({ command: 'start' });
    for (const score of ['1', '0.5', '0']) {
      const runtime = {
        completion_status: 'completed',
        success_status: 'passed',
        score: { scaled: score },
      };
      await end(window, opened, runtime);
      opened = await window.navigate({ command: 'continue' });
    }
    expect(opened.ended).toBe(true);
    const done = {
      registrationCompletion: 'COMPLETED',
      registrationSuccess: 'PASSED',
      score: { scaled: 50 },
    };
    expect(await result()).toMatchObject(done);
    await window.navigate({ command: 'start' });
    expect(await result()).toMatchObject({
      ...done,
      activityDetails: { activityCompletion: 'INCOMPLETE' },
    });
  });

  it('the state is deleted with the progress of the registration', async () => {
    const registration = await register('to-attempt');
    const window = await fixture.open(registration);
    await go(window, 'start');
    await go(window, 'continue');
    await fixture.client.delete(`registrations/${registration}/progress`);
    expect(await go(await fixture.open(registration), 'start')).toBe('a');
  });

  it('a review ignores the sequencing, and stores nothing', async () => {
    const registration = await register('to-attempt');
    const review = await fixture.open(registration, { tracking: false });
    expect(idOf(await review.navigate({ command: 'choice', target: 'c' }))).toBe('c');
    expect(await go(await fixture.open(registration), 'start')).toBe('a');
  });
});
