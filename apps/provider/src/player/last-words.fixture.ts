import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '@registrar/testing';
import { makeManifest, makeZip } from '../testing/make-package.ts';
import type { CourseWindow, PlayerFixture } from './player.fixture.ts';

/** How often each way to leave is tried. The environment variable makes the long form of the suite. */
const rounds = Number(process.env['LAST_WORDS_ROUNDS'] ?? 1);

/** When content sets its final values: an event of its window, or a click after which it goes on. */
const moments = ['beforeunload', 'pagehide', 'visibilitychange', 'unload', 'click'] as const;
type Moment = (typeof moments)[number];

/** More than the 64 KiB of a keepalive request, once it is written as JSON. */
const suspendData = '"page"\n'.repeat(9000);

const standards = {
  '1.2': {
    initialize: 'parent.API.LMSInitialize("")',
    values: {
      'cmi.core.lesson_status': 'passed',
      'cmi.core.lesson_location': 'end',
      'cmi.core.score.min': '0',
      'cmi.core.score.max': '100',
      'cmi.core.score.raw': '90',
      'cmi.core.session_time': '0000:01:00.00',
    },
    set: 'parent.API.LMSSetValue',
    end: 'parent.API.LMSFinish("")',
  },
  '2004 4th Edition': {
    initialize: 'parent.API_1484_11.Initialize("")',
    values: {
      'cmi.completion_status': 'completed',
      'cmi.success_status': 'passed',
      'cmi.location': 'end',
      'cmi.score.scaled': '0.9',
      'cmi.session_time': 'PT60S',
    },
    set: 'parent.API_1484_11.SetValue',
    end: 'parent.API_1484_11.Terminate("")',
  },
} as const;
type Standard = keyof typeof standards;

/** A page that holds its reports back or notes them. */
type ReportingPage = typeof globalThis & {
  isReporting?: boolean;
  readonly localStorage: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
  };
};

interface LaunchHistory {
  readonly launchHistory: readonly { readonly exitTime?: string }[];
}

/** The parts of a report that the suite reads. */
interface Report {
  readonly closing: boolean;
  readonly runtime: { readonly core?: Readonly<Record<string, unknown>> };
}

/** A course whose content sets all its values at that moment, with suspend data first. */
const course = (standard: Standard, moment: Moment, suspended = suspendData) => {
  const { initialize, values, set, end } = standards[standard];
  const all = { 'cmi.suspend_data': suspended, ...values };
  const target = moment === 'visibilitychange' ? 'document' : 'window';
  return packageOf(
    standard,
    `<!doctype html><title>Page</title><button>Answer</button>
<script>
  ${initialize};
  ${target}.addEventListener('${moment}', () => {
    for (const [name, value] of Object.entries(${JSON.stringify(all)})) ${set}(name, value);
    ${moment === 'click' ? '' : end};
  });
</script>`,
  );
};

const packageOf = (standard: Standard, page: string) =>
  makeZip({
    'imsmanifest.xml': makeManifest(
      '<item identifier="item" identifierref="page"><title>Page</title></item>',
      `<resource identifier="page" type="webcontent" adlcp:scormtype="sco" adlcp:scormType="sco" href="page.html"/>`,
      standard,
    ),
    'page.html': page,
  });

const courseId = (standard: Standard, moment: Moment) => `${standard} ${moment}`;

/** Tests that nothing which matters is lost when a window closes or is killed. */
export function describeLastWords(player: () => PlayerFixture): void {
  describe('the player, when its window closes', () => {
    let fixture: PlayerFixture;
    beforeAll(async () => {
      fixture = player();
      for (const standard of Object.keys(standards) as Standard[]) {
        for (const moment of moments) {
          await fixture.client.import(courseId(standard, moment), await course(standard, moment));
        }
      }
    });

    const open = async (standard: Standard, moment: Moment) =>
      openCourse(courseId(standard, moment));
    const openCourse = async (id: string) => {
      const registration = await fixture.client.register(id);
      const window = await fixture.open(await fixture.launchLink(registration));
      await window.part('Page').content.getByRole('button').waitFor();
      await window.waitForText('Saved');
      return { registration, window };
    };
    const answer = (window: CourseWindow) =>
      window.part('Page').content.getByRole('button').click();
    const expectResult = (registration: string) =>
      fixture.resultWhen(
        registration,
        'the final values are stored',
        ({
          registrationCompletion,
          registrationSuccess,
          score,
          totalSecondsTracked,
          activityDetails,
        }) =>
          registrationCompletion === 'COMPLETED' &&
          registrationSuccess === 'PASSED' &&
          score?.scaled === 90 &&
          totalSecondsTracked > 0 &&
          activityDetails.children[0]?.runtime?.['location'] === 'end',
      );

    const timeoutMs = 900_000 * rounds;
    for (const standard of Object.keys(standards) as Standard[]) {
      for (const moment of moments.filter((each) => each !== 'click')) {
        it(
          `stores what SCORM ${standard} content with large suspend data sets in ${moment}`,
          async () => {
            for (let round = 0; round < rounds; round += 1) {
              const { registration, window } = await open(standard, moment);
              await window.close();
              await expectResult(registration);
              await window.context.close();
            }
          },
          timeoutMs,
        );
      }

      it(
        `stores what SCORM ${standard} content has set a second before its page is killed`,
        async () => {
          for (let round = 0; round < rounds; round += 1) {
            const { registration, window } = await open(standard, 'click');
            await answer(window);
            await window.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
            await window.kill();
            await expectResult(registration);
            await window.context.close();
          }
        },
        timeoutMs,
      );
    }

    it('repeats in its last report what has no response yet', async () => {
      await fixture.client.import('small', await course('1.2', 'click', 'page 3'));
      const { registration, window } = await openCourse('small');
      await window.page.evaluate(() => {
        const page = globalThis as ReportingPage;
        const send = page.fetch;
        // The earlier reports are under way until the page has gone.
        page.fetch = (url, options) => {
          const { closing } = JSON.parse(options?.body as string) as { closing: boolean };
          if (closing) return send(url, options);
          page.isReporting = true;
          return new Promise(() => undefined);
        };
      });
      await answer(window);
      await window.page.waitForFunction(() => (globalThis as ReportingPage).isReporting);
      await window.close();
      await expectResult(registration);
    });

    it('ends the launch by a report that contains what content sets in pagehide', async () => {
      const { registration, window } = await open('1.2', 'pagehide');
      await window.page.evaluate(() => {
        const page = globalThis as ReportingPage;
        const send = page.fetch;
        page.fetch = (url, options) => {
          const bodies = `${page.localStorage.getItem('reports') ?? ''}${options?.body as string}\n`;
          page.localStorage.setItem('reports', bodies);
          return send(url, options);
        };
      });
      const { origin } = new URL(window.page.url());
      await window.close();
      await expectResult(registration);
      const later = await window.context.newPage();
      await later.goto(`${origin}/player/any/player.css`);
      // Another process of Chromium writes what the closed page has stored.
      const stored = await later.waitForFunction(() => {
        const reports = (globalThis as ReportingPage).localStorage.getItem('reports') ?? '';
        return reports.includes('"closing":true') && reports;
      });
      const reports = ((await stored.jsonValue()) as string)
        .trim()
        .split('\n')
        .map((body) => JSON.parse(body) as Report);
      expect(reports.find(({ closing }) => closing)?.runtime.core).toMatchObject({
        lesson_status: 'passed',
      });
    });

    it('ends the launch when content closes its window', async () => {
      const page = `<!doctype html><title>Page</title><button>Close</button>
<script>
  parent.API.LMSInitialize('');
  document.querySelector('button').onclick = () => top.close();
</script>`;
      await fixture.client.import('closing', await packageOf('1.2', page));
      const registration = await fixture.client.register('closing');
      const link = await fixture.launchLink(registration);
      // Scripts may close the windows that scripts have opened.
      const context = await fixture.browser.newContext();
      const portal = await context.newPage();
      const opened = portal.waitForEvent('popup');
      await portal.evaluate(`void window.open(${JSON.stringify(link)})`);
      const window = await opened;
      await window.frameLocator('iframe').getByRole('button').click();
      await eventually('the launch has ended', async () => {
        const path = `registrations/${registration}/launchHistory`;
        const { body } = await fixture.client.get<LaunchHistory>(path);
        return body.launchHistory[0]?.exitTime !== undefined;
      });
      await context.close();
    });

    it('warns before the window closes with unsaved data, and not afterwards', async () => {
      const { window } = await open('1.2', 'click');
      await window.page.route('**/reports', (route) => route.abort());
      await answer(window);
      await window.waitForText('Trying again…');
      const warned = window.page.waitForEvent('dialog');
      await window.page.close({ runBeforeUnload: true });
      const dialog = await warned;
      expect(dialog.type()).toBe('beforeunload');
      await dialog.dismiss();
      await window.page.unroute('**/reports');
      await window.page.getByText('Saved', { exact: true }).waitFor();
      await window.close();
    });
  });
}
