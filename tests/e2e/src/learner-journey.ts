import { afterAll, beforeAll, expect, it } from 'vitest';
import { createClient, type RegistrarClient } from '@registrar/client';
import { sampleCourseNames, buildSamplePackage } from '@registrar/sample-courses';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually } from '@registrar/testing';
import type { Browser } from 'playwright-core';
import { openBrowser } from '@registrar/testing/browser';
import { type ClientPage, openClientPage } from './client-page.ts';
import { ApiClient } from './client.ts';
import { playEmbeddedFireSafety, playFirstAid } from './learner.ts';
import { realmClient } from './realm-client.ts';
import { parseCsv, parseXml } from '@registrar/conformance';

/**
 * Runs the main use case from end to end with the client package and a learner's browser: import, enrol,
 * launch, play, read the result. Uses only the public API, so it runs against any form of the system.
 */
export function describeLearnerJourney(running: () => RunningSystem, chromium: string): void {
  const api = () => new ApiClient(running());
  const learner_id = 'Ada.Lovelace@example.com';
  let browser: Browser;
  let key: { api_key: string };
  let registrar: RegistrarClient;

  let exitPage: ClientPage;

  beforeAll(async () => {
    browser = await openBrowser(chromium);
    exitPage = await openClientPage();
  });
  afterAll(async () => {
    await browser.close();
    await exitPage.close();
  });

  const enrol = async (course_guid: string): Promise<string> => {
    const record = await registrar.registrations.create({
      ...api().application,
      course_guid,
      learner_id,
      fname: 'Ada',
      lname: 'Lovelace',
    });
    expect(record).toMatchObject({ course_guid, learner_id });
    expect(record.course_provider_id).toBeGreaterThan(0);
    return record.registration_guid;
  };

  const launch = async (registration_guid: string): Promise<string> => {
    const { url: redirect_url } = exitPage;
    const launched = await registrar.registrations.launchUrl({ registration_guid, redirect_url });
    return launched.launch_url;
  };

  const indexOne = async (registration_guid: string, refresh_if_launched = false) => {
    const list = registrar.registrations.list({ registration_guid, refresh_if_launched });
    const { value } = await list.next();
    if (!value) throw new Error(`the registration ${registration_guid} is not in the index`);
    return value;
  };

  it('creates an API key with the realm pair', async () => {
    const { access_token, user_id } = await realmClient(running()).apiKeys.create();
    expect(user_id).toBeNull();
    key = { api_key: access_token };
    registrar = createClient({ baseUrl: running().quickstart.base_url, access: key });
  });

  it('imports both sample packages', async () => {
    for (const name of sampleCourseNames) {
      const names = { course_guid: `e2e-${name}`, title: `Imported ${name}` };
      const file = new Blob([new Uint8Array(await buildSamplePackage(name))]);
      expect(await registrar.courses.create({ ...names, file })).toMatchObject({
        ...names,
        versions: 0,
      });
    }
  });

  it('shows the result of a SCORM 1.2 course in JSON, XML and CSV', async () => {
    const registration = await enrol('e2e-first-aid-basics');
    await playFirstAid(browser, await launch(registration));

    const filters = { ...key, registration_guid: registration };
    const record = await indexOne(registration, true);
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
    expect(await indexOne(registration)).toMatchObject({
      complete: 'unknown',
      score: null,
    });
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
