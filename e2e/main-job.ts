import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sampleNames, samplePackage } from '#libs/sample-courses';
import type { RunningSystem } from '#libs/testing';
import type { Browser } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { type ClientPage, openClientPage } from './client-page.ts';
import { ApiClient, records } from './client.ts';
import { playFireSafety, playFirstAid } from './learner.ts';
import { parseCsv, parseXml } from '../conformance/readers.ts';

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
 * The main job from end to end, as a client's program and a learner's browser see it. It knows
 * nothing of the inside and runs against any form of the system.
 */
export function describeMainJob(running: () => RunningSystem, chromium: string): void {
  const api = () => new ApiClient(running());
  const learner = 'Ada.Lovelace@example.com';
  let browser: Browser;
  let key: { api_key: string };

  let afterwards: ClientPage;

  beforeAll(async () => {
    browser = await openBrowser(chromium);
    afterwards = await openClientPage();
  });
  afterAll(async () => {
    await browser.close();
    await afterwards.close();
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
      redirect_url: afterwards.url,
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

  it('makes an API key from the realm pair', async () => {
    const answer = await api().post('/api_key.json', api().realm);
    expect(answer.status).toBe(201);
    const record = JSON.parse(answer.text) as { access_token: string; user_id: null };
    expect(record.user_id).toBeNull();
    key = { api_key: record.access_token };
  });

  it('imports both sample packages', async () => {
    for (const name of sampleNames) {
      const file = await samplePackage(name);
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

  it('lists the courses in three formats', async () => {
    const guids = sampleNames.map((name) => `e2e-${name}`).sort();
    const ours = (found: unknown[]) => found.map(String).filter((guid) => guid.startsWith('e2e-'));

    const json = await api().get('/course.json', key);
    expect(json.type).toMatch(/^application\/json/);
    const courses = records<{ course_guid: string }>(json);
    expect(ours(courses.map((course) => course.course_guid)).sort()).toEqual(guids);

    const xml = await api().get('/course.xml', key);
    expect(xml.type).toMatch(/^application\/xml/);
    const root = parseXml(xml.text);
    expect(root).toMatchObject({ name: 'courses', attributes: { type: 'array' } });
    expect(ours(root.children.map((course) => course.textOf('sc-course-id'))).sort()).toEqual(
      guids,
    );

    const csv = await api().get('/course.csv', key);
    expect(csv.type).toMatch(/^text\/csv/);
    const rows = parseCsv(csv.text);
    expect(ours(rows.map((row) => row['course_guid'])).sort()).toEqual(guids);
  });

  it('carries a SCORM 1.2 quiz from the launch to the index, in three formats', async () => {
    const registration = await enrol('e2e-first-aid-basics');
    await playFirstAid(browser, await launch(registration));

    // A scheduled crawl between launch and finish makes this one unneeded, and then comes again:
    // it may also bring a newer result while the formats are read.
    const filters = { ...key, registration_guid: registration };
    let record, xml, csv;
    do {
      record = await indexOne(registration, { refresh_if_launched: 't' });
      xml = parseXml((await api().get('/registration.xml', filters)).text);
      csv = parseCsv((await api().get('/registration.csv', filters)).text);
    } while (
      record.complete !== 'complete' ||
      record.totaltime !== (await indexOne(registration)).totaltime
    );
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

  it('carries a SCORM 2004 course of two SCOs through the scheduled crawl alone', async () => {
    const registration = await enrol('e2e-fire-safety');
    expect(await indexOne(registration)).toMatchObject({ complete: 'unknown', score: null });
    await playFireSafety(browser, await launch(registration));

    let record = await indexOne(registration);
    while (record.complete !== 'complete') record = await indexOne(registration);
    expect(record).toMatchObject({ complete: 'complete', success: 'succeeded' });
    expect(record.score).toBeGreaterThan(0);
    expect(record.last_crawled_at).not.toBeNull();
  }, 60_000);

  it('cuts a key that is bound to a user down to that user', async () => {
    const made = await api().post('/api_key.json', { ...api().realm, user_email: learner });
    const own = { api_key: (JSON.parse(made.text) as { access_token: string }).access_token };
    const theirs = records<Registration>(await api().get('/registration.json', own));
    expect(theirs.map((record) => record.learner_id)).toEqual([learner, learner]);
    const other = await api().post('/api_key.json', {
      ...api().realm,
      user_email: 'grace@example.com',
    });
    const stranger = { api_key: (JSON.parse(other.text) as { access_token: string }).access_token };
    const none = await api().get('/registration.json', stranger);
    expect(none).toMatchObject({ status: 200, text: '[]' });
  });
}
