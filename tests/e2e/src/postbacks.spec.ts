import { afterAll, beforeAll, it } from 'vitest';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import { eventually, findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import type { Browser } from 'playwright-core';
import { openBrowser } from '@registrar/testing/browser';
import { ApiClient, records } from './client.ts';
import { playFirstAid } from './learner.ts';
import { useSystem } from './use-system.ts';

describeWith(findChromium(), 'postbacks of our own provider', (executablePath) => {
  // Nothing is crawled at an interval while the suite runs.
  const running = useSystem(() => startStandaloneSystem({ CRAWL_INTERVAL_SECONDS: '3600' }));
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(executablePath);
  });
  afterAll(() => browser.close());

  it('postbacks bring the result of a course to Registrar as soon as the learner has finished it', async () => {
    const api = new ApiClient(running());
    const { text } = await api.post('/registration.json', {
      ...api.realm,
      course_guid: 'first-aid-basics',
      learner_id: 'ada@example.com',
    });
    const { registration_guid } = JSON.parse(text) as { registration_guid: string };
    const launch = await api.get(`/registration/${registration_guid}/launch_url.json`, api.realm);
    const { launch_url } = JSON.parse(launch.text) as { launch_url: string };
    await playFirstAid(browser, launch_url);
    await eventually('the result has arrived', async () => {
      const answer = await api.get('/registration.json', { ...api.realm, registration_guid });
      return records(answer)[0]?.['complete'] === 'complete';
    });
  });
});
