import { goTo, goToView, openView, type Samples, views } from '@registrar/console-suites/views';
import {
  type RunningSystem,
  signInToConsole,
  type StartedSystem,
} from '@registrar/standalone/testing';
import { openBrowser } from '@registrar/testing/browser';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from './client.ts';

/** The views that a reader of the realm may see. */
const readable = [
  'registrations',
  'registration',
  'courses',
  'course',
  'invitations',
  'invitation',
];

/** Walks the pages of the console, which is a process of its own, with the data of clients of the API. */
export function describeConsolePages(running: () => StartedSystem, executablePath: string): void {
  describe('the pages of the console', () => {
    let browser: Browser;
    let page: Page;
    let samples: Samples;
    const errors: string[] = [];

    beforeAll(async () => {
      samples = await createSamples(running());
      browser = await openBrowser(executablePath);
      const context = await browser.newContext({ locale: 'en-GB' });
      const [name = '', value = ''] = (await signInToConsole(running())).split('=');
      await context.addCookies([{ name, value, url: running().consoleUrl }]);
      page = await context.newPage();
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
    });
    afterAll(() => browser?.close());

    it('an operator sees every page without a failure', async () => {
      await openView(page, running().consoleUrl, '/');
      for (const view of views) {
        await goToView(page, view.path(samples));
        const failures = page.getByRole('alert').filter({ hasText: /Request [\w-]{8,}/ });
        expect([view.name, await failures.allInnerTexts()]).toEqual([view.name, []]);
        expect(await page.getByRole('heading', { name: 'No access' }).count()).toBe(0);
      }
      expect(errors).toEqual([]);
    });

    it('the page Overview shows the length of the queue of each app at the broker', async () => {
      await goTo(page, '/overview');
      const apps = page.getByRole('table', { name: 'Apps' });
      const row = apps.getByRole('row', { name: 'enrolment' });
      await row.waitFor();
      const place = (await apps.getByRole('columnheader').allInnerTexts()).indexOf('Queue');
      await row.getByRole('cell').nth(place).getByText(/^\d+$/).waitFor();
    });

    it('a reader of the realm sees no other page than those of readers', async () => {
      const roles = { operator: false, realms: { [samples.realm]: 'reader' } };
      await execute(running(), 'UPDATE console.sessions SET roles = $1', [JSON.stringify(roles)]);
      await openView(page, running().consoleUrl, '/');
      const seen: string[] = [];
      for (const view of views) {
        await goToView(page, view.path(samples));
        const refused = await page.getByRole('heading', { name: 'No access' }).count();
        if (refused === 0) seen.push(view.name);
      }
      expect(seen).toEqual(readable);
      const names = await page.getByRole('navigation').getByRole('link').allInnerTexts();
      expect(names).toEqual(['Registrations', 'Courses', 'Invitations and licenses']);
      expect(errors).toEqual([]);
    });
  });
}

/** Creates data on the pages of the realm, as clients of the API do. */
async function createSamples(system: RunningSystem): Promise<Samples> {
  const api = new ApiClient(system);
  const create = async (path: string, fields: Readonly<Record<string, string>>) => {
    const { status, text } = await api.post(path, { ...api.realm, ...fields });
    expect([path, status]).toEqual([path, 201]);
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  };
  const { course_guid: course, realm_guid: realm } = system.quickstart;
  const learner_id = 'walker@example.com';
  const registered = await create('/registration.json', { course_guid: course, learner_id });
  const invitation = await create('/invitation.json', {
    name: 'Walked',
    license: 't',
    course_guids: JSON.stringify([course]),
    custom: JSON.stringify({ license_data: { [course]: { seats_available: 2 } } }),
  });
  await create('/api_key.json', {});
  const [application] = await execute(system, 'SELECT id FROM identity.provider_applications');
  return {
    realm,
    course,
    application: Number(application?.['id']),
    registration: String(registered['registration_guid']),
    invitation: Number(invitation['id']),
  };
}

/** Runs a statement in the database of a system, as its superuser. */
async function execute(
  { databaseUrl }: RunningSystem,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  if (databaseUrl === null) throw new Error('the suite has not started the system');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
