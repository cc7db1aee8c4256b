import {
  createProviderApplication,
  createRealm,
  listProviderApplicationSummaries,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { ConsoleSystem } from './console-system.fixture.ts';
import { goTo } from './views.ts';
import { violationsIn } from './violations-in.ts';

/** The page Provider applications. */
export function describeProviderApplications(system: () => ConsoleSystem): void {
  const realm = () => system().quickstart.realm_guid;
  const listPath = () => `/realms/${realm()}/provider-applications`;
  /** Id of the application of the sample data. */
  let application = 0;
  beforeAll(async () => {
    const page = { cursor: null, limit: 1 };
    const ofRealm = { realmGuid: realm() };
    const { items } = await system().bus.page(listProviderApplicationSummaries, ofRealm, page);
    application = items[0]?.id ?? 0;
  });
  const pagePath = () => `${listPath()}/${application}`;
  const section = (page: Page, name: string) => page.getByRole('region', { name });
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
  const confirm = (page: Page, label: string) =>
    dialog(page, label).getByRole('button', { name: label }).click();
  const sealedSecret = async () => {
    const { sealed } = await system()
      .database('identity')
      .one(
        z.object({ sealed: z.string() }),
        sql`SELECT sealed_secret_key AS sealed FROM provider_applications
          WHERE id = ${application}`,
      );
    return sealed;
  };

  /** Shows a crawl in progress, which no crawler goes on with. */
  const showCrawl = (items: number, expected: number) =>
    system()
      .database('crawler')
      .execute(
        sql`UPDATE due_crawls
          SET started_at = now() - interval '1 minute', items = ${items}, total = ${expected}, due_at = 'infinity'
          WHERE kind = 'all-registrations'`,
      );

  it('lists the applications of the realm, and opens one at an address of its own', async () => {
    const { page, errors } = await system().open('administrator', listPath());
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Provider applications' }).getByRole('button').click();
    await page.getByRole('region', { name: 'Crawls' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(pagePath());
    expect(errors).toEqual([]);
  });

  it('the operator sees those of all realms, by the names of the realms', async () => {
    const { page } = await system().open('operator', '/provider-applications');
    await page.getByRole('columnheader', { name: 'Realm' }).waitFor();
    await page.getByRole('table').getByRole('button').first().waitFor();
  });

  it('a running crawl has a bar and an estimate, which follow it', async () => {
    await showCrawl(250, 1_000);
    const { page } = await system().open('administrator', pagePath());
    const bar = page.getByRole('progressbar', { name: 'Sweep of all registrations' });
    await bar.waitFor();
    expect(await bar.getAttribute('aria-valuenow')).toBe('25');
    await page.getByText('250 of about 1,000').waitFor();
    await page.getByText(/about [2-3] mins? left/).waitFor();
    await showCrawl(500, 1_000);
    await page.getByText('500 of about 1,000').waitFor();
    await system()
      .database('crawler')
      .execute(
        sql`UPDATE due_crawls SET started_at = NULL, items = 0, due_at = now() WHERE kind = 'all-registrations'`,
      );
  });

  it('Pause names its consequence and is done by the keyboard alone, Resume ends it', async () => {
    const { page } = await system().open('administrator', pagePath());
    await page.getByRole('button', { name: 'Pause' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page, 'Pause').getByText('become old').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await section(page, 'Crawls').getByText('Paused').first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The crawls go on.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
  });

  it('Crawl now and a full sweep are in the history when they have ended', async () => {
    const { page } = await system().open('administrator', pagePath());
    await page.getByRole('button', { name: 'Crawl now' }).click();
    await page.getByText('The crawl is due').waitFor();
    await page.getByRole('button', { name: 'Full sweep' }).click();
    await dialog(page, 'Full sweep').getByText('read again').waitFor();
    await confirm(page, 'Full sweep');
    const history = page.getByRole('table', { name: 'Crawls of the last week' });
    await history.getByText('Sweep of all courses').first().waitFor();
  });

  it('limits are configured, and an empty field stands for the default', async () => {
    const { page } = await system().open('administrator', pagePath());
    const rate = section(page, 'Calls and limits').getByText('7', { exact: true });
    await page.getByRole('button', { name: 'Configure' }).click();
    await page.getByLabel('Rate of crawls per second').fill('7');
    await page.getByRole('button', { name: 'Save' }).click();
    await rate.waitFor();
    await page.getByRole('button', { name: 'Configure' }).click();
    await page.getByLabel('Rate of crawls per second').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await rate.waitFor({ state: 'detached' });
  });

  it('the credentials are tested, and a wrong secret key is refused and not stored', async () => {
    const { page } = await system().open('administrator', pagePath());
    const before = await sealedSecret();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The provider accepts the credentials.').waitFor();
    await page.getByRole('button', { name: 'Replace secret key' }).click();
    await page.getByRole('textbox', { name: 'Secret key' }).fill('not-the-secret-key');
    await confirm(page, 'Replace secret key');
    const failure = page.getByRole('alert').filter({ hasText: 'Nothing was stored.' });
    await failure.waitFor();
    expect(await failure.textContent()).not.toContain('not-the-secret-key');
    expect(await sealedSecret()).toBe(before);
  });

  it('the operator gives it a new key at Registrar’s provider, which is shown once and accepted at once', async () => {
    const { page } = await system().open('operator', pagePath());
    const label = 'New key at Registrar';
    await page.getByRole('button', { name: label }).click();
    await page.getByRole('dialog').getByRole('button', { name: label }).click();
    const shown = dialog(page, 'Secret key');
    await shown.getByText('This is shown once').waitFor();
    const secret = (await shown.locator('pre').textContent()) ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(page.url()).not.toContain(secret);
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('The provider accepts the credentials.').waitFor();
  });

  it('the password of postbacks is shown on demand, and replaced after its consequence is named', async () => {
    const { page } = await system().open('administrator', pagePath());
    const shown = dialog(page, 'Credentials of postbacks');
    const password = () => shown.locator('code').nth(1).textContent();
    await page.getByRole('button', { name: 'Show password' }).click();
    await shown.waitFor();
    const before = await password();
    await shown.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Replace password' }).click();
    await dialog(page, 'Replace password').getByText('within 30 seconds').waitFor();
    await confirm(page, 'Replace password');
    await shown.waitFor();
    expect(await password()).not.toBe(before);
  });

  it('axe-core finds no violation in the list, the application and its dialogs', async () => {
    await showCrawl(250, 1_000);
    const { page } = await system().open('operator', '/provider-applications');
    await page.getByRole('table').getByRole('button').first().waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await goTo(page, pagePath());
    await page.getByRole('progressbar').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Replace secret key' }).click();
    await dialog(page, 'Replace secret key').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  it.each(['author', 'reader'] as const)(
    'a user who is %s of the realm sees neither the list, nor an application, nor their entry in the navigation',
    async (role) => {
      const { page } = await system().open(role, '/');
      for (const path of [listPath(), pagePath(), '/provider-applications']) {
        await goTo(page, path);
        await page.getByRole('heading', { name: 'No access' }).waitFor();
        expect(await page.getByRole('link', { name: 'Provider applications' }).count()).toBe(0);
      }
    },
  );

  it('an administrator sees no application of another realm', async () => {
    const other = await system().bus.request(createRealm, { name: 'Other' });
    const { applicationId } = await system().bus.request(createProviderApplication, {
      realmGuid: other.realmGuid,
      name: 'Foreign',
      baseUrl: 'https://provider.example.com',
      appId: 'foreign',
      secretKey: 'foreign-secret',
    });
    const { page } = await system().open('administrator', `${listPath()}/${applicationId}`);
    await page.getByText('Your role does not allow this.').waitFor();
    expect(await page.getByText('provider.example.com').count()).toBe(0);
  });
}
