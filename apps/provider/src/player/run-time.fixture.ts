import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import type { CourseWindow, PlayerFixture } from './player.fixture.ts';

/** A SCO that does nothing by itself: the suite calls the API in its place. */
const sco = `<!doctype html>
<title>SCO</title>
<h1>Ready</h1>`;

type ContentApi = Record<string, (...values: string[]) => string>;

const part = (id: string, sequencing = '') =>
  `<item identifier="${id}" identifierref="files"><title>Part ${id}</title>${sequencing}</item>`;
const files =
  '<resource identifier="files" type="webcontent" adlcp:scormType="sco" adlcp:scormtype="sco" href="sco.html"/>';

/** Used by mistake: nothing marks the pages as SCOs. */
const unmarked = (standard: '1.2' | '2004 4th Edition') =>
  makeZip({
    'imsmanifest.xml': makeManifest(part('only'), files.replaceAll('"sco"', '"asset"'), standard),
    'sco.html': `${sco}<script>window.apiNames = ['LMSInitialize', 'API_1484_11'];</script>`,
  });

const test = part(
  'test.1',
  `<imsss:sequencing><imsss:objectives>
     <imsss:primaryObjective objectiveID="main" satisfiedByMeasure="true">
       <imsss:minNormalizedMeasure>0.8</imsss:minNormalizedMeasure>
     </imsss:primaryObjective>
     <imsss:objective objectiveID="rules" satisfiedByMeasure="true">
       <imsss:minNormalizedMeasure>0.5</imsss:minNormalizedMeasure>
       <imsss:mapInfo targetObjectiveID="course-rules" writeSatisfiedStatus="true"
         writeNormalizedMeasure="true"/>
     </imsss:objective>
     ${Array.from({ length: 10 }, (_, at) => `<imsss:objective objectiveID="more-${at}"/>`).join('')}
   </imsss:objectives></imsss:sequencing>`,
);
const review = part(
  'review',
  `<imsss:sequencing><imsss:objectives>
     <imsss:primaryObjective objectiveID="main"/>
     <imsss:objective objectiveID="known rules">
       <imsss:mapInfo targetObjectiveID="course-rules"/>
     </imsss:objective>
   </imsss:objectives></imsss:sequencing>`,
);

const scorm2004 = () =>
  makeZip({
    'imsmanifest.xml': makeManifest(test + review, files, '2004 4th Edition'),
    'sco.html': sco,
  });
const scorm12 = () =>
  makeZip({ 'imsmanifest.xml': makeManifest(part('only'), files), 'sco.html': sco });

const exitOf = (course: string) => (course.endsWith('-12') ? 'cmi.core.exit' : 'cmi.exit');

/** Tests the run-time environment of content, by the calls that real packages make. */
export function describeRunTime(player: () => PlayerFixture): void {
  describe('the run-time environment', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = player();
      await fixture.client.import('scorm-2004', await scorm2004());
      await fixture.client.import('scorm-12', await scorm12());
      await fixture.client.import('assets-12', await unmarked('1.2'));
      await fixture.client.import('assets-2004', await unmarked('2004 4th Edition'));
    });

    const open = async (registration: string) =>
      fixture.open(await fixture.launchLink(registration, { redirectOnExitUrl: 'message' }));
    /** Makes calls of the content. @returns the result of each, and the error code after it */
    const calls = (window: CourseWindow, title: string, ...list: string[][]): Promise<string[][]> =>
      window
        .part(title)
        .content.locator('h1')
        .evaluate((_, given) => {
          const { parent } = globalThis as unknown as { parent: Record<string, ContentApi> };
          const [api, prefix] = parent['API']
            ? [parent['API'], 'LMS']
            : [parent['API_1484_11'], ''];
          return given.map(([name = '', ...values]) => [
            api?.[prefix + name]?.(...values) ?? '',
            api?.[`${prefix}GetLastError`]?.() ?? '',
          ]);
        }, list);
    const call = async (window: CourseWindow, title: string, ...words: string[]) =>
      (await calls(window, title, words))[0];
    /** Sets values, and expects that each is accepted. */
    const set = async (window: CourseWindow, title: string, values: Record<string, string>) => {
      const list = Object.entries(values).map(([element, value]) => ['SetValue', element, value]);
      const results = await calls(window, title, ...list);
      expect(Object.keys(values).map((element, at) => [element, results[at]])).toEqual(
        Object.keys(values).map((element) => [element, ['true', '0']]),
      );
    };
    const expectValues = async (
      window: CourseWindow,
      title: string,
      values: Record<string, string>,
    ) => {
      const list = Object.keys(values).map((element) => ['GetValue', element]);
      const results = await calls(window, title, ...list);
      expect(Object.keys(values).map((element, at) => [element, results[at]])).toEqual(
        Object.entries(values).map(([element, value]) => [element, [value, '0']]),
      );
    };
    const begin = async (registration: string, title: string) => {
      const window = await open(registration);
      expect(await call(window, title, 'Initialize', '')).toEqual(['true', '0']);
      return window;
    };
    const exit = async (window: CourseWindow) => {
      await window.exit();
      await window.waitForText('You have left the course');
    };

    /** Leaves a course of which nothing is left to do. */
    const complete = async (window: CourseWindow) => {
      await window.exit();
      await window.waitForText('You have completed the course');
    };

    it("starts cmi.objectives with the manifest's objectives and keeps their results", async () => {
      const registration = await fixture.client.register('scorm-2004');
      const title = 'Part test.1';
      const window = await begin(registration, title);
      await expectValues(window, title, {
        'cmi.objectives._count': '12',
        'cmi.objectives.0.id': 'main',
        'cmi.objectives.1.id': 'rules',
        'cmi.objectives.11.id': 'more-9',
        'cmi.objectives.1.success_status': 'unknown',
        'cmi.scaled_passing_score': '0.8',
      });
      await set(window, title, {
        'cmi.objectives.1.score.scaled': '0.6',
        'cmi.objectives.1.progress_measure': '0.25',
        'cmi.objectives.12.id': 'own',
        'cmi.exit': 'suspend',
      });
      await exit(window);
      const { activityDetails, ...result } = await fixture.result(registration);
      expect(result).toMatchObject({
        globalObjectives: [
          { id: 'course-rules', score: { scaled: 60 }, objectiveSuccess: 'PASSED' },
        ],
      });
      expect(activityDetails.children[0]?.runtime?.['runtimeObjectives']).toMatchObject([
        { id: 'main' },
        { id: 'rules', scoreScaled: '0.6', progressMeasure: '0.25' },
        ...Array.from({ length: 10 }, (_, at) => ({ id: `more-${at}` })),
        { id: 'own' },
      ]);

      const again = await begin(registration, title);
      await expectValues(again, title, {
        'cmi.objectives._count': '13',
        'cmi.objectives.1.score.scaled': '0.6',
        'cmi.objectives.12.id': 'own',
      });
      await again.entry('Part review').click();
      await call(again, 'Part review', 'Initialize', '');
      await expectValues(again, 'Part review', {
        'cmi.objectives._count': '2',
        'cmi.objectives.1.id': 'known rules',
        'cmi.objectives.1.success_status': 'passed',
        'cmi.objectives.1.score.scaled': '0.6',
      });
      await fixture.client.delete(`registrations/${registration}/progress`);
      expect(await fixture.result(registration)).toMatchObject({ globalObjectives: [] });
    });

    it('plays a package that was imported before objectives were read', async () => {
      await fixture.client.import('older', await scorm2004());
      const changed = await fixture.provider.database.execute(
        sql`UPDATE course_versions AS v SET
              structure = v.structure #- '{root,objectives}' #- '{root,children,0,objectives}'
            FROM courses AS c WHERE c.id = v.course AND c.course_id = 'older'`,
      );
      expect(changed).toBe(1);
      const window = await begin(await fixture.client.register('older'), 'Part test.1');
      await expectValues(window, 'Part test.1', { 'cmi.objectives._count': '0' });
      await set(window, 'Part test.1', { 'cmi.objectives.0.id': 'own' });
    });

    it('stores multi-line texts and timestamps of SCORM 2004 as the content set them', async () => {
      const registration = await fixture.client.register('scorm-2004');
      const title = 'Part test.1';
      const window = await begin(registration, title);
      const answer = `First line,\nsecond {line}\r\n${'long '.repeat(1000)}`;
      await set(window, title, {
        'cmi.interactions.0.id': 'essay',
        'cmi.interactions.0.type': 'long-fill-in',
        'cmi.interactions.0.learner_response': answer,
        'cmi.interactions.0.description': 'What happened?\nIn your own words.',
        'cmi.interactions.0.correct_responses.0.pattern': 'It burned,\nbriefly',
        'cmi.interactions.0.timestamp': '2026-11-22T10:00:00Z',
        'cmi.interactions.0.latency': 'PT12.345S',
        'cmi.interactions.1.id': 'data',
        'cmi.interactions.1.type': 'fill-in',
        'cmi.interactions.1.learner_response': '{"x":1}',
        'cmi.objectives.1.description': '{lang=en}Rules\nof play',
        'cmi.comments_from_learner.0.comment': 'Good.\nThank you!',
        'cmi.comments_from_learner.0.timestamp': '2026-11-22T10:00:00.1234567+01:00',
        'cmi.session_time': 'PT1M30.125S',
        'cmi.exit': 'suspend',
      });
      const stored = {
        'cmi.interactions.0.learner_response': answer,
        'cmi.interactions.0.correct_responses.0.pattern': 'It burned,\nbriefly',
        'cmi.interactions.0.timestamp': '2026-11-22T10:00:00Z',
        'cmi.interactions.1.learner_response': '{"x":1}',
        'cmi.objectives.1.description': '{lang=en}Rules\nof play',
        'cmi.comments_from_learner.0.comment': 'Good.\nThank you!',
      };
      await expectValues(window, title, stored);
      await call(window, title, 'Terminate', '');
      expect(await call(window, title, 'GetValue', 'cmi.interactions.0.learner_response')).toEqual([
        '',
        '123',
      ]);
      await exit(window);
      const { activityDetails } = await fixture.result(registration);
      expect(activityDetails.children[0]?.runtime).toMatchObject({
        totalTime: '0000:01:30.12',
        learnerComments: [
          { value: 'Good.\nThank you!', dateTime: '2026-11-22T10:00:00.1234567+01:00' },
        ],
        runtimeInteractions: [
          {
            learnerResponse: answer,
            description: 'What happened?\nIn your own words.',
            correctResponses: ['It burned,\nbriefly'],
            timestamp: '2026-11-22T10:00:00Z',
            latency: 'PT12.345S',
          },
          { learnerResponse: '{"x":1}' },
        ],
      });
      const again = await begin(registration, title);
      await expectValues(again, title, stored);
    });

    it('still rejects values of the wrong type, and reports 0 after the next success', async () => {
      const title = 'Part test.1';
      const window = await begin(await fixture.client.register('scorm-2004'), title);
      const failure = ['SetValue', 'cmi.score.scaled', 'high'];
      for (const [success, result] of [
        [['GetValue', 'cmi.completion_status'], 'unknown'],
        [['GetValue', 'cmi.success_status'], 'unknown'],
        [['GetValue', 'adl.nav.request_valid.choice.{target=review}'], 'true'],
        [['GetValue', 'adl.nav.request_valid.choice.{target=test.1}'], 'true'],
        [['GetValue', 'adl.nav.request_valid.jump.{target=absent}'], 'false'],
        [['SetValue', 'cmi.location', 'page-2'], 'true'],
        [['Commit', ''], 'true'],
        [['Terminate', ''], 'true'],
      ] as const) {
        const results = await calls(window, title, failure, [...success]);
        expect([success, ...results]).toEqual([success, ['false', '406'], [result, '0']]);
      }
    });

    it('stores multi-line answers of SCORM 1.2', async () => {
      const registration = await fixture.client.register('scorm-12');
      const window = await begin(registration, 'Part only');
      await set(window, 'Part only', {
        'cmi.interactions.0.id': 'essay',
        'cmi.interactions.0.type': 'fill-in',
        'cmi.interactions.0.student_response': 'First line\nsecond line',
        'cmi.core.exit': 'suspend',
      });
      await exit(window);
      const { activityDetails } = await fixture.result(registration);
      expect(activityDetails.children[0]?.runtime?.runtimeInteractions).toMatchObject([
        { learnerResponse: 'First line\nsecond line' },
      ]);
    });

    it.each([
      [
        'scorm-12',
        'Part only',
        'cmi.core.lesson_location',
        ['cmi', 'cmi.core', 'cmi.interactions'],
      ],
      ['scorm-2004', 'Part test.1', 'cmi.location', ['cmi', 'cmi.score', 'adl', 'adl.nav']],
    ])(
      'keeps an attempt of %s whose content sets groups',
      async (course, title, location, groups) => {
        const registration = await fixture.client.register(course);
        const window = await begin(registration, title);
        await set(window, title, { [location]: 'page 3' });
        for (const group of groups) {
          expect(await call(window, title, 'SetValue', group, 'x')).toEqual(['false', '401']);
        }
        await expectValues(window, title, { [location]: 'page 3' });
        expect(await call(window, title, 'Commit', '')).toEqual(['true', '0']);
        await set(window, title, { 'cmi.suspend_data': 'after', [exitOf(course)]: 'suspend' });
        await exit(window);
        const { activityDetails } = await fixture.result(registration);
        expect(activityDetails.children[0]?.runtime).toMatchObject({
          location: 'page 3',
          suspendData: 'after',
          exit: 'suspend',
        });
        expect(window.errors).toEqual([]);
      },
    );

    it.each(['assets-12', 'assets-2004'])('gives the pages of %s the API', async (course) => {
      const registration = await fixture.client.register(course);
      const window = await begin(registration, 'Part only');
      const [score, location] =
        course === 'assets-12'
          ? ['cmi.core.score.raw', 'cmi.core.lesson_location']
          : ['cmi.score.scaled', 'cmi.location'];
      await set(window, 'Part only', {
        [score ?? '']: course === 'assets-12' ? '70' : '0.7',
        [location ?? '']: 'page 3',
        [exitOf(course)]: 'suspend',
      });
      await complete(window);
      const result = await fixture.result(registration);
      expect(result).toMatchObject({
        registrationCompletion: 'COMPLETED',
        score: { scaled: 70 },
        activityDetails: { children: [{ attempts: 1, suspended: true }] },
      });
      const again = await begin(registration, 'Part only');
      await expectValues(again, 'Part only', { [location ?? '']: 'page 3' });
      await complete(again);
      const { activityDetails } = await fixture.result(registration);
      expect(activityDetails).toMatchObject({ children: [{ attempts: 1 }] });
    });

    it.each(['assets-12', 'assets-2004'])(
      'completes pages of %s that do not call the API',
      async (course) => {
        const registration = await fixture.client.register(course);
        const window = await open(registration);
        await window.part('Part only').heading('Ready').waitFor();
        await complete(window);
        expect(await fixture.result(registration)).toMatchObject({
          registrationCompletion: 'COMPLETED',
          activityDetails: { children: [{ attempts: 1, suspended: false }] },
        });
        const job = await fixture.client.get(`courses/${course}`, {
          includeCourseMetadata: 'true',
        });
        expect(job.body).toMatchObject({
          parserWarnings: [expect.stringContaining('Marked as an asset')],
        });
      },
    );

    it('completes content of SCORM 1.2 that ends without a status', async () => {
      const registration = await fixture.client.register('scorm-12');
      const window = await begin(registration, 'Part only');
      expect(await call(window, 'Part only', 'Finish', '')).toEqual(['true', '0']);
      await window.waitForText('You have completed the course');
      expect(await fixture.result(registration)).toMatchObject({
        registrationCompletion: 'COMPLETED',
        activityDetails: { children: [{ runtime: { completionStatus: 'COMPLETED' } }] },
      });
      const again = await begin(registration, 'Part only');
      await expectValues(again, 'Part only', { 'cmi.core.lesson_status': 'completed' });
    });
  });
}
