import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { expect, it } from 'vitest';
import { type Role, useConsole } from './console-system.fixture.ts';
import { newLearner, sampleLearners } from './sample-learners.fixture.ts';
import { violationsIn } from './violations-in.ts';

describeWith(findChromium(), 'the pages of reports', (executablePath) => {
  const system = useConsole(executablePath);
  const list = (query = '') => `/realms/${system().quickstart.realm_guid}/reports${query}`;
  const open = (role: Role, path: string, options = {}) => system().open(role, path, options);

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

  it('a role without reports sees neither the page nor its entry', async () => {
    const { page } = await open('author', list());
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'completion_by_course' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Reports' }).count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'axe-core finds no violation in the list and in a result (%s)',
    async (colorScheme) => {
      const { page } = await open('administrator', list(), { colorScheme });
      await page.getByRole('button', { name: 'completion_by_course' }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'completion_by_course' }).click();
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('table', { name: 'Result' }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
    },
  );
});
