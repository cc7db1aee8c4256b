import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleCourseNames, buildSamplePackage } from '@registrar/sample-courses';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually } from '@registrar/testing';
import type { Browser } from 'playwright-core';
import { openBrowser } from '@registrar/testing/browser';
import { type ClientPage, openClientPage } from './client-page.ts';
import { ApiClient, records } from './client.ts';
import { playEmbeddedFireSafety, playFirstAid } from './learner.ts';
import { parseCsv, parseXml } from '@registrar/conformance';

interface Registration {
  registration_guid: string;
  course_guid: string;
  learner_id: string;
  complete: string;
  success: string;
  score: number | null;
  totaltime: number;
  course_result: string | null;
  last_crawled_at: string | null;
}

/**
 * Runs the main use case from end to end with an HTTP client and a learner's browser: import, enrol,
 * launch, play, read the result. Uses only the public API, so it runs against any form of the system.
 */
export function describeLearnerJourney(running: () => RunningSystem, chromium: string): void {
  const api = () => new ApiClient(running());
  const learner = 'Ada.Lovelace@example.com';
  let browser: Browser;
  let key: { api_key: string };

  let exitPage: ClientPage;

  beforeAll(async () => {
    browser = await openBrowser(chromium);
    exitPage = await openClientPage();
  });
  afterAll(async () => {
    await browser.close();
    await exitPage.close();
  });

  const enrol = async (course: string): Promise<string> => {
    const answer = await api().post('/registration.json', {
      ...key,
      ...api().application,
      course_guid: course,
      learner_id: learner,
      fname: 'Ada',
      lname: 'Lovelace',
    });
    expect(answer.status).toBe(201);
    const record = JSON.parse(answer.text) as Registration & { course_provider_id: number };
    expect(record).toMatchObject({ course_guid: course, learner_id: learner });
    expect(record.course_provider_id).toBeGreaterThan(0);
    return record.registration_guid;
  };

  const launch = async (registration: string): Promise<string> => {
    const answer = await api().get(`/registration/${registration}/launch_url.json`, {
      ...key,
      redirect_url: exitPage.url,
    });
    expect(answer.status).toBe(200);
    return (JSON.parse(answer.text) as { launch_url: string }).launch_url;
  };

  const indexOne = async (registration: string, more: Record<string, string> = {}) => {
    const filters = { ...key, registration_guid: registration, ...more };
    const [record] = records<Registration>(await api().get('/registration.json', filters));
    if (!record) throw new Error(`the registration ${registration} is not in the index`);
    return record;
  };

  it('creates an API key with the realm pair', async () => {
    const answer = await api().post('/api_key.json', api().realm);
    expect(answer.status).toBe(201);
    const record = JSON.parse(answer.text) as { access_token: string; user_id: null };
    expect(record.user_id).toBeNull();
    key = { api_key: record.access_token };
  });

  it('imports both sample packages', async () => {
    for (const name of sampleCourseNames) {
      const file = await buildSamplePackage(name);
      const parameters = { ...key, course_guid: `e2e-${name}`, title: `Imported ${name}` };
      const answer = await api().upload('/course.json', parameters, file);
      expect(answer.status).toBe(201);
      expect(JSON.parse(answer.text)).toMatchObject({
        course_guid: `e2e-${name}`,
        title: `Imported ${name}`,
        versions: 0,
      });
    }
  });

  it('shows the result of a SCORM 1.2 course in JSON, XML and CSV', async () => {
    const registration = await enrol('e2e-first-aid-basics');
    await playFirstAid(browser, await launch(registration));

    const filters = { ...key, registration_guid: registration };
    const record = await indexOne(registration, { refresh_if_launched: 't' });
    const xml = parseXml((await api().get('/registration.xml', filters)).text);
    const csv = parseCsv((await api().get('/registration.csv', filters)).text);
    expect(record).toMatchObject({ complete: 'complete', success: 'succeeded', score: 100 });
    expect(record.totaltime).toBeGreaterThan(0);
    expect(parseXml(record.course_result ?? '').name).toBe('rsp');

    expect(xml.children.map((child) => child.name)).toEqual(['registration']);
    const [element] = xml.children;
    expect(element?.textOf('complete')).toBe('complete');
    expect(element?.textOf('success')).toBe('succeeded');
    expect(Number(element?.textOf('score'))).toBe(100);
    expect(Number(element?.textOf('totaltime'))).toBe(record.totaltime);

    const [row] = csv;
    expect(row).toMatchObject({ complete: 'complete', success: 'succeeded', score: '100' });
    expect(Number(row?.['totaltime'])).toBe(record.totaltime);
  });

  it('shows the result of a SCORM 2004 course, played in a frame of a page, after a scheduled crawl', async () => {
    const registration = await enrol('e2e-fire-safety');
    expect(await indexOne(registration)).toMatchObject({ complete: 'unknown', score: null });
    const portal = await openClientPage(pageWithCourse(await launch(registration)));
    try {
      expect(await playEmbeddedFireSafety(browser, portal.url)).toEqual({
        frame: exitPage.url,
        page: portal.url,
      });
    } finally {
      await portal.close();
    }

    const record = await eventually('a scheduled crawl has brought the result', async () => {
      const shown = await indexOne(registration);
      return shown.complete === 'complete' && shown;
    });
    expect(record).toMatchObject({ complete: 'complete', success: 'succeeded' });
    expect(record.score).toBeGreaterThan(0);
    expect(record.last_crawled_at).not.toBeNull();
  });
}

/** A page of the client that shows a course in a frame (contract/registrations#embed-any-page). */
const pageWithCourse = (launchUrl: string) => `<!doctype html>
<title>My courses</title>
<iframe
  src="${launchUrl}"
  title="Course"
  width="1000"
  height="800"
  allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
></iframe>
`;
