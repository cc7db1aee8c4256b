import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type JsonRecord, type Parameters, recordsOf, textOf } from '@registrar/conformance';
import type { RunningSystem } from '@registrar/standalone/testing';
import { openBrowser } from '@registrar/testing/browser';
import type { Browser } from 'playwright-core';
import { playFirstAid } from '../learner.ts';
import { RealmOfClients } from './realm-of-clients.ts';

/**
 * Follows a learner of a WordPress site, from the page with the course to its result, by the requests that the plugin
 * and its script send (docs/wordpress.md).
 */
export function describeWordPressVisit(running: () => RunningSystem, chromium: string): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(chromium);
  });
  afterAll(() => browser.close());

  it('a learner of a WordPress site finishes a course, and the site shows it as passed', async () => {
    const site = await RealmOfClients.create(running());
    await site.set({ clients: 'bright' });
    const course_guid = await site.course();
    /** Runs the script of a response, and returns the argument of the callback. */
    const jsonp = async (path: string, parameters: Parameters): Promise<unknown> => {
      const given = { ...parameters, callback: 'done', _: '1700000000000' };
      const { text } = await site.api.get(path, given);
      let result: unknown;
      runInNewContext(text, { done: (value: unknown) => (result = value) });
      return JSON.parse(JSON.stringify(result));
    };

    // The plugin, on the server, for the learner who has logged in.
    const user_email = site.learner();
    const { api_key } = await site.key({ ...site.realm, ...site.application, user_email });
    const accessToken = { accessToken: String(api_key) };
    const ofCourse = { ...accessToken, course_guid, api_template: 'public_minimum' };
    expect(recordsOf(await site.api.get('/course.json', ofCourse))).toMatchObject([
      { course_guid, custom: null, registrations: [] },
    ]);

    // The script, in the page: it registers the learner and opens the course.
    const created = (await jsonp('/registration/gcreate', {
      api_key,
      course_guid,
      dont_duplicate: '1',
      fname: 'Zoë',
      lname: 'Læst',
      format: 'js',
    })) as JsonRecord;
    const registration_guid = textOf(created, 'registration_guid');
    const launched = (await jsonp(`/registration/${registration_guid}/launch_url`, {
      api_key,
      review: 'false',
      redirect_url: 'https://client.example/course/',
      launching: '1',
      format: 'json',
    })) as JsonRecord;
    await playFirstAid(browser, textOf(launched, 'launch_url'));

    // Back on the page, which names the registration: the script has it crawled and reads the courses again.
    await jsonp('/registration', { api_key, registration_guid, crawl: 't', format: 'json' });
    const courses = await jsonp('/course', {
      api_key,
      include_registrations: '1',
      api_template: 'public_minimum',
    });
    expect(courses).toMatchObject([
      {
        course_guid,
        registrations: [
          {
            registration_guid,
            complete: 'complete',
            success: 'passed',
            score: 100,
            attempts: 1,
            provider_completed_at: expect.any(String),
          },
        ],
      },
    ]);

    // A report of the plugin reads the columns by position.
    const query = { name: 'bright_completion_matrix', query_scope: 'bright', guid_prefix: '' };
    const report = await site.api.get('/stored_query/run.json', { ...accessToken, ...query });
    expect(recordsOf(report)).toMatchObject([
      { 0: user_email, 2: 'complete', 3: 'passed', success: 'passed', 4: 100 },
    ]);
  });
}
