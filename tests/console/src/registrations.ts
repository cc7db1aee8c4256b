import { readFile } from 'node:fs/promises';
import { sql } from '@registrar/persistence';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ConsoleSystem, Role } from './console-system.fixture.ts';
import { newLearner, sampleLearners } from './sample-learners.fixture.ts';
import { violationsIn } from './violations-in.ts';

/** What a browser would run if it were not shown as text. */
const hostile = '<img src=x onerror="document.title=1">';
const escaped = hostile.replaceAll('<', '&lt;');

const report = `<?xml version="1.0"?><rsp stat="ok"><registrationreport format="full">
  <complete>complete</complete><score>87</score>
  <activity id="root"><title>The course</title><complete>complete</complete><success>passed</success>
    <children><activity id="one"><title>${escaped}</title><complete>complete</complete>
      <success>failed</success><score>42</score><runtime><location>page 3</location></runtime><children/>
    </activity></children>
  </activity></registrationreport></rsp>`;

/** The pages of registrations. */
export function describeRegistrations(system: () => ConsoleSystem): void {
  const learners = () => sampleLearners(system());
  const list = (query = '') => `/realms/${system().quickstart.realm_guid}/registrations${query}`;
  const open = (role: Role, path: string) => system().open(role, path);
  const row = (page: Page, learner: string) => page.getByRole('button', { name: learner });
  const confirm = (page: Page, label: string) =>
    page.getByRole('dialog', { name: label }).getByRole('button', { name: label });
  /** A registration with a result. */
  const sample = async () => {
    const learner = newLearner();
    const guid = await learners().register(learner);
    await learners().storeResult(guid, report);
    return { learner, guid };
  };

  it('finds a learner, and the filters and the order have an address', async () => {
    const [{ learner }, other] = [await sample(), await sample()];
    const { page, errors } = await open('reader', list());
    await row(page, other.learner).waitFor();
    await page.getByLabel('Learner').fill(learner.toUpperCase());
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await row(page, other.learner).waitFor({ state: 'hidden' });
    await row(page, learner).waitFor();
    await page.getByRole('button', { name: 'Updated' }).click();
    await page.waitForURL(/learner=.*&sort=updated_at/);
    await page.reload();
    await row(page, learner).waitFor();
    expect(await page.getByLabel('Learner').inputValue()).toBe(learner.toUpperCase());
    expect(await page.title()).toBe('Registrations · Registrar');
    expect(errors).toEqual([]);
  });

  it('shows the facts, the timeline and the report of a registration, and its texts as text', async () => {
    const { learner } = await sample();
    const { page, errors } = await open('reader', list(`?learner=${learner}`));
    await row(page, learner).click();
    await page.getByRole('heading', { name: `Registration of ${learner}` }).waitFor();
    const timeline = page.getByRole('region', { name: 'Timeline' });
    for (const event of ['Result received', 'Launched', 'Created']) {
      await timeline.getByText(event, { exact: true }).waitFor();
    }
    // In UTC for the pointer.
    expect(await timeline.locator('time').first().getAttribute('title')).toMatch(/ UTC$/);
    const tree = page.getByRole('tree', { name: 'Activity report' });
    await tree.getByText('The course').waitFor();
    await tree.getByText(hostile).waitFor();
    expect(await page.title()).toBe(`Registration of ${learner} · Registrar`);
    expect(errors).toEqual([]);
  });

  it('reads the timeline on beyond its newest changes', async () => {
    const { guid } = await sample();
    await system()
      .database('identity')
      .execute(
        sql`INSERT INTO audit_log (occurred_at, kept_until, realm_id, actor, request_id, action, subject)
            SELECT now() + n * interval '1 second', now() + interval '1 day', realms.id, 'operator', 'suite',
                   'registration.deleted', jsonb_build_object('registration_guid', ${guid}::text)
            FROM generate_series(1, 60) AS n, realms
            WHERE realms.guid = ${system().quickstart.realm_guid}`,
      );
    const { page } = await open('reader', list(`/${guid}`));
    const timeline = page.getByRole('region', { name: 'Timeline' });
    const changes = timeline.getByText('registration.deleted');
    await changes.nth(49).waitFor();
    expect([await changes.count(), await timeline.getByText('Created').count()]).toEqual([50, 0]);
    await timeline.getByRole('button', { name: 'Older events' }).click();
    await timeline.getByText('Created', { exact: true }).waitFor();
    expect(await changes.count()).toBe(60);
    await timeline.getByRole('button').waitFor({ state: 'detached' });
  });

  it('opens the parts of a report by the keyboard', async () => {
    const { guid } = await sample();
    const { page } = await open('reader', list(`/${guid}`));
    const part = page.getByRole('treeitem').filter({ hasText: hostile }).last();
    await part.focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText('runtime', { exact: true }).waitFor();
  });

  it('Refresh now names its consequence, and reads the result from the provider', async () => {
    const guid = await learners().register(newLearner());
    const { page, errors } = await open('author', list(`/${guid}`));
    await page.getByRole('button', { name: 'Refresh now' }).click();
    await page
      .getByText('The result is read from the course provider now', { exact: false })
      .waitFor();
    await confirm(page, 'Refresh now').click();
    await page.getByText('The result is refreshed.').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('Result received').waitFor();
    await page.getByRole('treeitem').filter({ hasText: 'totaltime' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('Preview gives a link of the provider, by the keyboard alone', async () => {
    const { guid } = await sample();
    const { page } = await open('author', list(`/${guid}`));
    await page.getByRole('button', { name: 'Preview' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('the registration then counts as launched', { exact: false }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: 'Open the preview in a new window' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^http:\/\/[^/]+\//);
  });

  it('exports what the filters match, and the audit log has who did it', async () => {
    const [{ learner }] = [await sample(), await sample()];
    const { page } = await open('reader', list(`?learner=${learner}`));
    await row(page, learner).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('registrations.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n(?=\d)/);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(learner);
    const exports = () =>
      system()
        .database('identity')
        .execute(
          sql`SELECT FROM audit_log WHERE action = 'list.exported' AND actor_name = 'reader@example.com'`,
        );
    await expect.poll(exports).toBe(1);
  });

  it('a reader sees no button that changes something', async () => {
    const { guid, learner } = await sample();
    const { page } = await open('reader', list(`/${guid}`));
    await page.getByRole('heading', { name: `Registration of ${learner}` }).waitFor();
    expect(await page.getByRole('button', { name: /Refresh now|Preview/ }).count()).toBe(0);
  });

  it('an unknown registration is shown as such', async () => {
    const { page } = await open('reader', list('/nowhere'));
    await page.getByText('the realm has no such registration').waitFor();
  });

  it('axe-core finds no violation in the list and in a registration', async () => {
    const { learner } = await sample();
    const { page } = await open('author', list(`?learner=${learner}`));
    await row(page, learner).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await row(page, learner).click();
    await page.getByText(hostile).waitFor();
    await page.getByText('Result received').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
}
