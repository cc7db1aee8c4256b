import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually } from '@registrar/testing';
import type { Browser } from 'playwright-core';
import { openBrowser } from '@registrar/testing/browser';
import { type ClientPage, openClientPage } from './client-page.ts';
import { type ContentHabit, contentHabits, habitPackage } from './content-habits.ts';
import { realmClient } from './realm-client.ts';

/** How often each habit is played. The environment variable makes the long form of the suite. */
const rounds = Number(process.env['CONTENT_HABIT_ROUNDS'] ?? 1);
const perRoundMs = 20_000;

/**
 * Plays content with each habit of real content, with crawls during the attempt, and reads the
 * result once: as soon as the learner is back (contract/registrations#refresh-if-launched), or, after
 * the learner has closed the tab, as soon as its last report has arrived at the provider.
 */
export function describeResultsAtOnce(running: () => RunningSystem, chromium: string): void {
  describe('refresh_if_launched returns the final result at once when content', () => {
    const registrar = () => realmClient(running());
    let browser: Browser;
    let clientPage: ClientPage;
    beforeAll(async () => {
      browser = await openBrowser(chromium);
      clientPage = await openClientPage();
    });
    afterAll(async () => {
      await browser.close();
      await clientPage.close();
    });

    const courseOf = ({ name }: ContentHabit) => `habit: ${name}`;
    const enrol = async (habit: ContentHabit): Promise<string> => {
      const { registration_guid } = await registrar().registrations.create({
        course_guid: courseOf(habit),
        learner_id: 'ada@example.com',
      });
      return registration_guid;
    };
    const read = async (registration_guid: string, how: 'crawl' | 'refresh_if_launched') => {
      const list = registrar().registrations.list({ registration_guid, [how]: true });
      return (await list.next()).value ?? null;
    };
    /** Waits until the provider has the result that a closed tab reported last. */
    const lastReport = (registration: string) => {
      const { sc_app_id: id, sc_secret_key: secret } = running().quickstart;
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
      const path = `${running().providerUrl}/api/v2/registrations/${registration}`;
      return eventually('the provider has the last report of the closed tab', async () => {
        const response = await fetch(path, { headers: { authorization } });
        const result = (await response.json()) as Readonly<Record<string, unknown>>;
        return result['registrationSuccess'] === 'PASSED';
      });
    };
    /** Plays the content once, with a crawl in the middle of the attempt. */
    const play = async (habit: ContentHabit, registration: string) => {
      const { launch_url: link } = await registrar().registrations.launchUrl({
        registration_guid: registration,
        redirect_url: clientPage.url,
      });
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(link);
      const content = page.frameLocator('iframe[title="Part"]');
      await content.locator('button, iframe').first().waitFor();
      await read(registration, 'crawl');
      const back = () => page.waitForURL(clientPage.url, { waitUntil: 'commit' });
      await habit.leave({ page, content, back });
      return context;
    };

    for (const habit of contentHabits) {
      it(
        habit.name,
        async () => {
          const file = new Blob([new Uint8Array(await habitPackage(habit))]);
          await registrar().courses.create({ course_guid: courseOf(habit), file });
          const missed: unknown[] = [];
          for (let round = 0; round < rounds; round += 1) {
            const registration = await enrol(habit);
            if (habit.resumes) await (await play(habit, registration)).close();
            const context = await play(habit, registration);
            if (habit.closesTab) await lastReport(registration);
            const record = await read(registration, 'refresh_if_launched');
            const { complete, success, score } = { ...record };
            const isFinal = complete === 'complete' && success === 'succeeded' && score === 80;
            if (!isFinal) missed.push({ round, complete, success, score });
            await context.close();
          }
          expect(missed).toEqual([]);
        },
        30_000 + rounds * perRoundMs,
      );
    }
  });
}
