import { listRealms, putStoredQuery } from '@registrar/contracts';
import { expect, it } from 'vitest';
import type { ConsoleSystem, Role } from './console-system.fixture.ts';
import { newLearner, sampleLearners } from './sample-learners.fixture.ts';
import { violationsIn } from './violations-in.ts';

/** The pages of reports. */
export function describeReports(system: () => ConsoleSystem): void {
  const list = (query = '') => `/realms/${system().quickstart.realm_guid}/reports${query}`;
  const open = (role: Role, path: string) => system().open(role, path);

  it('runs a report by the keyboard, and the run has an address', async () => {
    await sampleLearners(system()).register(newLearner());
    const { page, errors } = await open('administrator', list());
    await page.getByRole('button', { name: 'completion_by_course' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Run the report to see its result.').waitFor();
    await page.getByRole('button', { name: 'Run' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/run=/);
    await page.reload();
    const result = page.getByRole('table', { name: 'Result' });
    await result.getByText(system().quickstart.course_guid).first().waitFor();
    expect(await page.title()).toBe('completion_by_course · Registrar');
    expect(errors).toEqual([]);
  });

  const result = (name: string, more: object = {}) => {
    const query = Object.entries({ scope: 'bright', run: {}, ...more }).map(
      ([key, value]) =>
        `${key}=${encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value))}`,
    );
    return list(`/${name}?${query.join('&')}`);
  };

  it('shows a result as a chart of the columns that the reader chooses, by an address', async () => {
    await sampleLearners(system()).register(newLearner());
    const { page, errors } = await open('administrator', result('completion_by_course'));
    await page.getByText('Chart', { exact: true }).click();
    await page.getByRole('img', { name: 'Chart of registrations by course_guid' }).waitFor();
    await page.getByRole('combobox', { name: 'Vertical' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'learners' }).click();
    await page.keyboard.press('Escape');
    await page.waitForURL(/y=.*learners/);
    await page.reload();
    const chart = page.getByRole('img', {
      name: 'Chart of registrations, learners by course_guid',
    });
    await chart.locator('.recharts-bar-rectangle').nth(1).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it.each(['CSV', 'Excel'])('saves a result as a file: %s', async (format) => {
    const { page } = await open('administrator', result('completion_by_course'));
    await page.getByRole('button', { name: 'Export' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^completion_by_course\.(csv|xlsx)$/);
    expect(await download.failure()).toBeNull();
  });

  it('stores a report by the keyboard, with the fault of its text at its place, and deletes it', async () => {
    const { page, errors } = await open('operator', list());
    await page.getByRole('link', { name: 'New report' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('titles');
    const editor = page.getByRole('textbox', { name: 'SQL' });
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('SELECT titel\nFROM courses');
    await page.getByText('Line 1, column 8: column "titel" does not exist').waitFor();
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('titel');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('SELECT title FROM courses WHERE title LIKE :pattern');
    await page.getByText('The query can be stored.').waitFor();
    // The key Tab leaves the editor.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'titles', level: 1 }).waitFor();
    await page.getByRole('textbox', { name: 'pattern' }).fill('%');
    await page.keyboard.press('Enter');
    await page.getByRole('table', { name: 'Result' }).getByText('First aid basics').waitFor();
    await page.getByRole('button', { name: 'Delete report' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete report' });
    await dialog.getByText('run the report titles get an error').waitFor();
    await dialog.getByRole('button', { name: 'Delete report' }).click();
    await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'completion_by_course' }).waitFor();
    expect(await page.getByRole('button', { name: 'titles' }).count()).toBe(0);
    // Chrome styles what is typed in place of a keyword, and the policy refuses that.
    const isExpected = /^Applying inline style violates/;
    expect(errors.filter((error) => !isExpected.test(error))).toEqual([]);
  });

  it('an administrator may delete a report, and neither edit nor store one', async () => {
    const { bus, quickstart, url } = system();
    const ours = { realmGuid: quickstart.realm_guid };
    const { items } = await bus.page(listRealms, ours, { cursor: null, limit: 1 });
    const sql = 'SELECT title FROM courses';
    const query = { name: 'ours', realmId: items[0]!.id, applicationId: null, sql };
    await bus.request(putStoredQuery, query);
    const { page } = await open('administrator', result('ours', { scope: 'realm' }));
    await page.getByRole('button', { name: 'Delete report' }).waitFor();
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await page.goto(url + list('/ours/edit?scope=realm'));
    await page.getByRole('heading', { name: 'No access' }).waitFor();
  });

  it('a role without reports sees neither the page nor its entry', async () => {
    const { page } = await open('author', list());
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'completion_by_course' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Reports' }).count()).toBe(0);
  });

  it('axe-core finds no violation in the list and in a result', async () => {
    const { page } = await open('administrator', list());
    await page.getByRole('button', { name: 'completion_by_course' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'completion_by_course' }).click();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('table', { name: 'Result' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
}
