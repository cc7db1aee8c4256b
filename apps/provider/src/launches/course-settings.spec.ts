import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import {
  type CourseWindow,
  type LaunchesFixture,
  startLaunchesFixture,
} from './launches.fixture.ts';
import type { SavedReport } from './save-activity-report.ts';

interface Result {
  readonly registrationCompletion: string;
  readonly registrationSuccess: string;
  readonly score?: { readonly scaled: number };
  readonly activityDetails: { readonly activityCompletion: string };
}

const items = (mastery: string, sequencing = '') =>
  ['one', 'two', 'three']
    .map(
      (id) => `<item identifier="${id}" identifierref="page"><title>${id}</title>${mastery}</item>`,
    )
    .join('') + sequencing;
const page =
  '<resource identifier="page" type="webcontent" adlcp:scormtype="sco" adlcp:scormType="sco" href="page.html"/>';
const packageOf = (manifest: string) =>
  makeZip({ 'imsmanifest.xml': manifest, 'page.html': '<!doctype html><title>Page</title>' });

describe('the settings of a course', () => {
  let fixture: LaunchesFixture;
  beforeAll(async () => {
    fixture = await startLaunchesFixture();
    const mastery = '<adlcp:masteryscore>70</adlcp:masteryscore>';
    await fixture.client.import('three', await packageOf(makeManifest(items(mastery), page)));
    const flow = '<imsss:sequencing><imsss:controlMode flow="true"/></imsss:sequencing>';
    const sequenced = makeManifest(items('', flow), page, '2004 4th Edition');
    await fixture.client.import('sequenced', await packageOf(sequenced));
  });
  afterAll(() => fixture?.stop());

  let registration: string;
  let window: CourseWindow;
  const use = async (course: string, settings: Readonly<Record<string, string>>) => {
    registration = await fixture.client.register(course);
    const made = Object.entries(settings).map(([settingId, value]) => ({ settingId, value }));
    const path = `registrations/${registration}/configuration`;
    const { status } = await fixture.client.sendJson('POST', path, { settings: made });
    expect(status).toBe(204);
    window = await fixture.open(registration);
  };
  const end = async (activityId: string, core: Readonly<Record<string, string>>) => {
    const sitting = await window.begin(activityId);
    const position = { activityId, sitting, sequence: 1 };
    const { score = '', ...values } = core;
    const runtime = { core: { ...values, ...(score && { score: { raw: score } }) } };
    const answer = await window.report(position, {}, { runtime, ended: true });
    return (await answer.json()) as SavedReport;
  };
  const result = async () => {
    const { body } = await fixture.client.get<Result>(`registrations/${registration}`);
    // The course as an activity has the result of the registration.
    expect(body.activityDetails.activityCompletion).toBe(body.registrationCompletion);
    return [body.registrationCompletion, body.registrationSuccess, body.score?.scaled ?? null];
  };

  describe('that are about results', () => {
    const passed = { lesson_status: 'passed' };
    const failed = { lesson_status: 'failed' };
    const completed = { lesson_status: 'completed' };

    it('PlayerScoreOverridesStatus lets a mastery score replace the status of SCORM 1.2 content', async () => {
      for (const [value, success] of [
        ['false', 'FAILED'],
        ['true', 'PASSED'],
      ] as const) {
        await use('three', { PlayerScoreOverridesStatus: value });
        const { standings } = await end('one', { ...failed, score: '90' });
        expect(standings).toMatchObject({ one: { success } });
      }
    });

    it('PlayerCompletionStatOfFailedSuccessStat decides whether failed content is completed', async () => {
      for (const [value, completion] of [
        ['UNKNOWN', 'COMPLETED'],
        ['COMPLETED', 'COMPLETED'],
        ['INCOMPLETE', 'INCOMPLETE'],
      ] as const) {
        await use('three', { PlayerCompletionStatOfFailedSuccessStat: value });
        const { standings } = await end('one', failed);
        expect([value, standings]).toMatchObject([value, { one: { completion } }]);
      }
    });

    it('content that was completed and then failed is incomplete where failing content is', async () => {
      await use('three', { PlayerCompletionStatOfFailedSuccessStat: 'INCOMPLETE' });
      await end('one', completed);
      const { standings } = await end('one', failed);
      expect(standings).toMatchObject({ one: { completion: 'INCOMPLETE', success: 'FAILED' } });
    });

    it('PlayerSatisfiedCausesCompletion completes content of SCORM 2004 that is passed, also for its sequencing', async () => {
      const runtime = { success_status: 'passed', completion_status: 'incomplete' };
      for (const [value, completion] of [
        ['false', 'INCOMPLETE'],
        ['true', 'COMPLETED'],
      ] as const) {
        await use('sequenced', { PlayerSatisfiedCausesCompletion: value });
        await window.navigate({ command: 'start' });
        for (const activityId of ['one', 'two', 'three']) {
          const sitting = await window.begin(activityId);
          const more = { runtime, ended: true };
          await window.report({ activityId, sitting, sequence: 1 }, {}, more);
        }
        expect(await result()).toEqual([completion, 'PASSED', null]);
      }
    });

    it.each([
      ['COMPLETE_WHEN_ALL_UNITS_COMPLETE', [passed, failed, completed], 'COMPLETED'],
      ['COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_NOT_FAILED', [passed, failed, passed], 'INCOMPLETE'],
      ['COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_NOT_FAILED', [passed, completed, passed], 'COMPLETED'],
      ['COMPLETE_WHEN_ALL_UNITS_ARE_PASSED', [passed, completed, passed], 'INCOMPLETE'],
      ['COMPLETE_WHEN_ALL_UNITS_ARE_PASSED', [passed, passed, passed], 'COMPLETED'],
      ['COMPLETE_WHEN_THRESHOLD_SCORE_IS_MET', [{ ...passed, score: '80' }], 'COMPLETED'],
      ['COMPLETE_WHEN_THRESHOLD_SCORE_IS_MET', [{ ...passed, score: '79' }], 'INCOMPLETE'],
      [
        'COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_THRESHOLD_SCORE_IS_MET',
        [{ ...passed, score: '80' }],
        'INCOMPLETE',
      ],
      [
        'COMPLETE_WHEN_ALL_UNITS_COMPLETE_AND_THRESHOLD_SCORE_IS_MET',
        [{ ...passed, score: '80' }, passed, passed],
        'COMPLETED',
      ],
    ] as const)(
      'PlayerStatusRollupModeValue %s makes of %j a course that is %s',
      async (mode, parts, completion) => {
        await use('three', {
          PlayerStatusRollupModeValue: mode,
          PlayerStatusRollupModeThresholdScore: '0.8',
        });
        for (const [at, core] of parts.entries()) {
          await end(['one', 'two', 'three'][at] ?? '', core);
        }
        expect((await result())[0]).toBe(completion);
      },
    );

    it('PlayerApplyRollupStatusToSuccess passes a course that is completed', async () => {
      for (const [value, success] of [
        ['false', 'FAILED'],
        ['true', 'PASSED'],
      ] as const) {
        await use('three', {
          PlayerApplyRollupStatusToSuccess: value,
          PlayerStatusRollupModeValue: 'COMPLETE_WHEN_THRESHOLD_SCORE_IS_MET',
          PlayerStatusRollupModeThresholdScore: '0.5',
        });
        await end('one', { ...failed, score: '60' });
        expect(await result()).toEqual(['COMPLETED', success, 60]);
      }
    });

    it.each([
      ['AVERAGE_SCORE_OF_ALL_UNITS_WITH_SCORES', 45],
      ['AVERAGE_SCORE_OF_ALL_UNITS_WITH_NONZERO_SCORES', 90],
      ['AVERAGE_SCORE_OF_ALL_UNITS', 30],
      ['LAST_SCO_SCORE', 0],
    ])(
      'PlayerScoreRollupModeValue %s makes of 90, no score and 0 a score of %d',
      async (mode, score) => {
        await use('three', { PlayerScoreRollupModeValue: mode });
        await end('one', { ...passed, score: '90' });
        await end('two', completed);
        await end('three', { ...failed, score: '0' });
        expect((await result())[2]).toBe(score);
      },
    );
  });

  describe('that say what follows the end of content', () => {
    const completed = { lesson_status: 'completed' };
    beforeEach(() =>
      use('three', {
        PlayerIntermediateScoSatisfiedNormalExitAction: 'GO_TO_NEXT_SCO',
        PlayerIntermediateScoNotSatisfiedNormalExitAction: 'DO_NOTHING',
        PlayerIntermediateScoNotSatisfiedSuspendExitAction: 'EXIT_COURSE',
        PlayerFinalScoCourseSatisfiedNormalExitAction: 'EXIT_COURSE_AFTER_CONFIRM',
        PlayerFinalScoCourseNotSatisfiedLogoutExitAction: 'EXIT_COURSE',
      }),
    );

    it('the exit action is that of the part, its result and its exit value', async () => {
      const failed = { lesson_status: 'failed' };
      const suspended = { lesson_status: 'incomplete', exit: 'suspend' };
      expect(await end('one', completed)).toMatchObject({ exitAction: 'GO_TO_NEXT_SCO' });
      expect(await end('two', failed)).toMatchObject({ exitAction: 'DO_NOTHING' });
      expect(await end('two', suspended)).toMatchObject({ exitAction: 'EXIT_COURSE' });
    });

    it('the exit action after the last part depends on the result of the course', async () => {
      const loggedOut = { ...completed, exit: 'logout' };
      expect(await end('three', completed)).toMatchObject({ exitAction: 'DISPLAY_MESSAGE' });
      expect(await end('three', loggedOut)).toMatchObject({ exitAction: 'EXIT_COURSE' });
      await end('one', completed);
      await end('two', completed);
      expect(await end('three', completed)).toMatchObject({
        exitAction: 'EXIT_COURSE_AFTER_CONFIRM',
      });
    });

    it('no exit action follows a report of content that goes on, or in a sequenced course', async () => {
      const sitting = await window.begin('one');
      const report = await window.report({ activityId: 'one', sitting, sequence: 1 }, completed);
      expect(await report.json()).toMatchObject({ exitAction: null });
      await use('sequenced', {});
      await window.navigate({ command: 'start' });
      expect(await end('one', {})).toMatchObject({ exitAction: null });
    });
  });
});
