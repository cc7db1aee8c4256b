import { sql } from '@registrar/persistence';
import { beforeAll, expect, it } from 'vitest';
import type { ConsoleSystem } from './console-system.fixture.ts';
import { violationsIn } from './violations-in.ts';

/** The page Overview. */
export function describeOverview(system: () => ConsoleSystem): void {
  beforeAll(async () => {
    await system()
      .database('enrolment')
      .execute(
        sql`INSERT INTO parked_events (message_id, content, attempts, reason) VALUES ('one', '', 1, 'a suite')`,
      );
  });

  it('shows the apps that run, and the crawls', async () => {
    const { page, errors } = await system().open('operator', '/overview');
    const row = (app: string) =>
      page.getByRole('table', { name: 'Apps' }).getByRole('row', { name: app });
    await row('identity').getByText('1 running').waitFor();
    await row('crawler').getByText('1 running').waitFor();
    await page.getByRole('heading', { name: 'Crawls' }).waitFor();
    expect(await page.title()).toBe('Overview · Registrar');
    expect(errors).toEqual([]);
  });

  it('the span of the charts has an address', async () => {
    const { page } = await system().open('operator', '/overview');
    await page.getByText('Day', { exact: true }).click();
    await page.waitForURL(/\?span=day$/);
    await page.reload();
    await page.getByRole('radio', { name: 'Day', checked: true }).waitFor({ state: 'attached' });
  });

  it('a finding about parked events leads to their page', async () => {
    const { page } = await system().open('operator', '/overview');
    const main = page.getByRole('main');
    await main.getByRole('link', { name: 'Parked events' }).click();
    await page.getByRole('heading', { name: 'Parked events', level: 1 }).waitFor();
    // The heading has the focus after a navigation.
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('H1');
  });

  it('axe-core finds no violation', async () => {
    const { page } = await system().open('operator', '/overview');
    await page.getByText('Events of enrolment are parked.').waitFor();
    await page.getByText('1 running').first().waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  it('an administrator of a realm has no access', async () => {
    const { page } = await system().open('administrator', '/overview');
    await page.getByRole('heading', { name: 'No access' }).waitFor();
    expect(await page.getByRole('link', { name: 'Overview' }).count()).toBe(0);
  });
}
