import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ConsoleSystem, Role } from './console-system.fixture.ts';
import { newLearner, sampleLearners } from './sample-learners.fixture.ts';
import { goTo } from './views.ts';
import { violationsIn } from './violations-in.ts';

/** The pages of invitations and licenses. */
export function describeInvitations(system: () => ConsoleSystem): void {
  const samples = () => sampleLearners(system());
  const list = (rest = '') => `/realms/${system().quickstart.realm_guid}/invitations${rest}`;
  const open = (role: Role, path: string) => system().open(role, path);
  const row = (page: Page, name: string) => page.getByRole('button', { name });
  const dropped = (page: Page) => page.getByRole('button', { name: 'Choose or drop a CSV file' });
  const fileOf = (text: string) => ({
    name: 'learners.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });

  it('lists licenses with their seats, and finds one by its name', async () => {
    const license = await samples().license(3);
    const other = await samples().license(1);
    await samples().add(license, [newLearner()]);
    const { page, errors } = await open('reader', list());
    await row(page, other.name).waitFor();
    await page.getByRole('progressbar', { name: `Seats of ${license.name}` }).waitFor();
    await page.getByText('1 of 3 taken').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill(license.name);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await row(page, other.name).waitFor({ state: 'hidden' });
    await page.reload();
    await row(page, license.name).click();
    await page.getByRole('heading', { name: license.name }).waitFor();
    expect(errors).toEqual([]);
  });

  it('shows learners and what became of each, and follows a change', async () => {
    const license = await samples().license(3);
    const [first, second] = [newLearner(), newLearner()];
    await samples().add(license, [first]);
    const { page, errors } = await open('reader', list(`/${license.id}`));
    const learners = page.getByRole('table', { name: 'Learners' });
    await learners.getByText(first).waitFor();
    await learners.getByText('Seat', { exact: true }).waitFor();
    await samples().add(license, [second]);
    await learners.getByText(second).waitFor();
    await page.getByText('2 of 3 taken').first().waitFor();
    await learners.getByRole('link').first().click();
    await page.getByRole('heading', { name: `Registration of ${first}` }).waitFor();
    await page.getByRole('link', { name: license.name }).waitFor();
    expect(errors).toEqual([]);
  });

  it('shows what each row of a file would do, changes nothing before it is confirmed, and then adds', async () => {
    const license = await samples().license(2);
    const [member, first, second] = [newLearner(), newLearner(), newLearner()];
    await samples().add(license, [member]);
    const { page, errors } = await open('administrator', list(`/${license.id}`));
    await page.getByRole('link', { name: 'Add learners' }).click();
    await dropped(page).waitFor();
    const text = `name;email\n"A; B";${member}\nC;${first}\nD;<b>no address</b>\nE;${first}\nF;${second}\n`;
    await page.locator('input[type=file]').setInputFiles(fileOf(text));
    await page.getByText('Preview: nothing has changed yet').waitFor();
    const rows = page.getByRole('table', { name: 'Rows of the file' }).getByRole('row');
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining('What would happen'),
      expect.stringMatching(/Member already/),
      expect.stringMatching(/Joins[^]*gets 1 new registration/),
      expect.stringMatching(/<b>no address<\/b>[^]*No e-mail address/),
      expect.stringMatching(/Repeated/),
      expect.stringMatching(/Joins[^]*no free seat/),
    ]);
    const learnersOf = async () => {
      const [found] = await samples().find(license.id);
      return found?.learners;
    };
    expect(await learnersOf()).toEqual([member]);
    await page.getByRole('button', { name: 'Add 2 learners' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 learners are added, and take 1 seats', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'Add 2 learners' }).click();
    await page.getByText('The learners were added', { exact: true }).waitFor();
    await page.getByText('No seat is free', { exact: false }).waitFor();
    expect(await learnersOf()).toEqual([member, first, second]);
    await page.getByRole('link', { name: 'Back to the invitation' }).click();
    await page.getByText('administrator@example.com, in the console').waitFor();
    expect(errors).toEqual([]);
  });

  it('adds learners by the keyboard alone', async () => {
    const license = await samples().license(2);
    const learner = newLearner();
    const { page } = await open('administrator', list(`/${license.id}/add-learners`));
    await page.getByRole('textbox', { name: 'Or enter addresses' }).focus();
    await page.keyboard.type(learner);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add 1 learner' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('The learners were added', { exact: true }).waitFor();
    expect((await samples().find(license.id))[0]?.learners).toEqual([learner]);
  });

  it('a file is refused in the browser that is too long, has no column of addresses, no rows, or is no CSV', async () => {
    const license = await samples().license(1);
    const { page } = await open('administrator', list(`/${license.id}/add-learners`));
    await dropped(page).waitFor();
    for (const [text, message] of [
      ['a@example.com\n'.repeat(1_001), 'more than 1000 rows'],
      ['a,b\nc,d\n', 'none is named email'],
      ['\n\n', 'has no rows'],
      ['"a@example.com\n', 'not readable as CSV'],
    ] as const) {
      await page.locator('input[type=file]').setInputFiles(fileOf(text));
      await page.getByRole('alert').getByText(message, { exact: false }).waitFor();
    }
  });

  it.each(['reader', 'author'] as const)('a user who is %s cannot add learners', async (role) => {
    const license = await samples().license(1);
    const { page } = await open(role, list(`/${license.id}`));
    await page.getByRole('heading', { name: license.name }).waitFor();
    expect(await page.getByRole('link', { name: 'Add learners' }).count()).toBe(0);
    await goTo(page, list(`/${license.id}/add-learners`));
    await page.getByRole('heading', { name: 'No access' }).waitFor();
  });

  it('axe-core finds no violation in the list, an invitation and the preview', async () => {
    const license = await samples().license(2);
    await samples().add(license, [newLearner()]);
    const { page } = await open('administrator', list());
    await row(page, license.name).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await row(page, license.name).click();
    await page.getByText('1 of 2 taken').first().waitFor();
    await page.getByRole('table', { name: 'Changes' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('link', { name: 'Add learners' }).click();
    await dropped(page).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    const rows = `${newLearner()}\nno address\n`;
    await page.locator('input[type=file]').setInputFiles(fileOf(rows));
    await page.getByText('Preview: nothing has changed yet').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
}
