import { randomUUID } from 'node:crypto';
import {
  appendPackagePiece,
  createCourse,
  createRegistration,
  emailAddress,
  resolveAccess,
} from '@registrar/contracts';
import { buildSamplePackage } from '@registrar/sample-courses';
import { sql } from '@registrar/persistence';
import { runWithin } from '@registrar/platform';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { ConsoleSystem, Role } from './console-system.fixture.ts';
import { newLearner } from './sample-learners.fixture.ts';
import { violationsIn } from './violations-in.ts';

/** What a browser would run if it were not shown as text. */
const hostile = '<img src=x onerror="document.title=1">';

/** The pages of courses. */
export function describeCourses(system: () => ConsoleSystem): void {
  const list = (query = '') => `/realms/${system().quickstart.realm_guid}/courses${query}`;
  const open = (role: Role, path: string) => system().open(role, path);
  const row = (page: Page, title: string | RegExp) => page.getByRole('button', { name: title });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

  const findScope = () => {
    const { realm_guid: guid, realm_secret_key: secretKey } = system().quickstart;
    return system().bus.request(resolveAccess, { credentials: { mode: 'realm', guid, secretKey } });
  };
  /** Imports a course. */
  const importCourse = async () => {
    const scope = await findScope();
    const [uploadId, attemptId] = [randomUUID(), randomUUID()];
    const bytes = (await buildSamplePackage('fire-safety')).toString('base64');
    const piece = { scope, uploadId, attemptId, index: 0, bytes };
    await system().bus.request(appendPackagePiece, piece);
    const guid = randomUUID();
    const title = `Course (${guid}) ${hostile}`;
    const source = { kind: 'package', uploadId, courseGuid: guid } as const;
    const wanted = { scope, applicationId: null, source, title, custom: null };
    // A busy machine takes longer than clients wait.
    await runWithin(120_000, () => system().bus.request(createCourse, wanted));
    return { guid, title };
  };
  let imported: ReturnType<typeof importCourse> | undefined;
  /** A course that no test changes: an import takes a while. */
  const sample = () => (imported ??= importCourse());
  const register = async (courseGuid: string) => {
    const learner = newLearner();
    await system().clientBus.request(createRegistration, {
      scope: await findScope(),
      applicationId: null,
      courseGuid,
      learnerId: emailAddress.parse(learner),
      firstName: '',
      lastName: '',
      dontDuplicate: false,
      checkHosted: false,
    });
    return learner;
  };

  it('finds a course by a part of its title, and the search has an address', async () => {
    const { guid, title } = await sample();
    const { page, errors } = await open('reader', list());
    const other = row(page, /first aid/i);
    await other.waitFor();
    await page.getByLabel('Title').fill(`(${guid.toUpperCase()})`);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await other.waitFor({ state: 'hidden' });
    await row(page, title).waitFor();
    await page.waitForURL(/title=/);
    await page.reload();
    await row(page, title).click();
    await heading(page, title).waitFor();
    expect(await page.title()).toBe(`${title} · Registrar`);
    expect(errors).toEqual([]);
  });

  it('shows the facts of a course, and its newest registrations', async () => {
    const { guid } = await sample();
    const learner = await register(guid);
    const { page, errors } = await open('reader', list(`/${guid}`));
    await page.getByRole('region', { name: 'Facts' }).getByText(guid).first().waitFor();
    const registrations = page.getByRole('region', { name: 'Registrations' });
    await registrations.getByRole('button', { name: learner }).waitFor();
    await registrations.getByRole('link', { name: 'All registrations of the course' }).click();
    await page.waitForURL(new RegExp(`/registrations\\?course=${guid}`));
    await row(page, learner).waitFor();
    expect(errors).toEqual([]);
  });

  it('shows the registrations of each day as a chart and as a table, at an address', async () => {
    const { guid } = await sample();
    await register(guid);
    const { page, errors } = await open('reader', list(`/${guid}`));
    const use = page.getByRole('region', { name: 'Use' });
    await use.getByRole('img', { name: /^\d+ registrations? between/ }).waitFor();
    // The bars of days without registrations have no height.
    await use.locator('.recharts-bar-rectangle').last().waitFor();
    await use.getByText('Table', { exact: true }).click();
    await page.waitForURL(/use=table/);
    const days = use.getByRole('table', { name: 'Registrations by day' });
    const year = String(new Date().getUTCFullYear());
    await days.getByRole('cell', { name: year }).first().waitFor();
    expect(errors).toEqual([]);
  });

  it('shows the settings of the provider to an author, and that has an address', async () => {
    const { guid } = await sample();
    const { page, errors } = await open('author', list(`/${guid}`));
    await page.getByRole('button', { name: 'Read from the provider' }).click();
    const settings = page.getByRole('table', { name: 'Settings' });
    await settings.getByText('PlayerShowCourseStructure').waitFor();
    await page.waitForURL(/settings=true/);
    expect(errors).toEqual([]);
  });

  it('Preview opens a course of the provider, by the keyboard alone', async () => {
    const { guid } = await sample();
    const { page } = await open('author', list(`/${guid}`));
    await page.getByRole('button', { name: 'Preview' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The provider records nothing.', { exact: false }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: 'Open the preview in a new window' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toMatch(/^http:\/\/[^/]+\/launch\//);
  });

  it('Delete says how many registrations go, and deletes them and the course', async () => {
    const { guid, title } = await importCourse();
    await register(guid);
    const { page } = await open('author', list(`/${guid}`));
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete' });
    // The page follows the number, which is counted some seconds later.
    await dialog.getByText('with its 1 registration').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText(`“${title}” is deleted.`).waitFor();
    await heading(page, 'Courses').waitFor();
    await row(page, title).waitFor({ state: 'hidden' });
  });

  describe('the upload of a package', () => {
    const uploadPath = (query = '') =>
      `/realms/${system().quickstart.realm_guid}/upload-course${query}`;
    const zip = async (buffer?: Buffer) => ({
      name: 'safety.zip',
      mimeType: 'application/zip',
      buffer: buffer ?? (await buildSamplePackage('fire-safety')),
    });

    const keptPackages = async () => {
      const row = z.object({ count: z.number() });
      const counted = sql`SELECT count(*) FROM package_uploads`;
      return (await system().database('catalog').one(row, counted)).count;
    };

    it('a package that is chosen by the keyboard becomes a course, and its findings are shown', async () => {
      const guid = randomUUID();
      const { page, errors } = await open('author', list());
      await page.getByRole('link', { name: 'Upload a course' }).click();
      await heading(page, 'Upload a course').waitFor();
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose or drop a package' }).press('Enter');
      await (await chooser).setFiles(await zip());
      await page.getByText('safety.zip').waitFor();
      await page.getByLabel('Title').fill(hostile);
      await page.getByLabel('Course GUID').fill(guid);
      await page.keyboard.press('Enter');
      await page.getByText(`“${hostile}” is imported`).waitFor();
      await page.getByRole('region', { name: 'Findings of the check' }).waitFor();
      await page.getByRole('link', { name: 'Open the course' }).click();
      await heading(page, hostile).waitFor();
      await page.getByRole('link', { name: 'Upload a new version' }).click();
      await page.locator('input[type=file]').setInputFiles(await zip());
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByText('It is the newest version of the course.').waitFor();
      await page.getByRole('link', { name: 'Open the course' }).click();
      await page.getByRole('button', { name: 'Show the versions' }).click();
      const versions = page.getByRole('table', { name: 'Versions' });
      await versions.getByRole('button', { name: 'Delete version 1' }).waitFor();
      await versions.getByRole('button', { name: 'Delete version 0' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete version 0' });
      await dialog.getByText('with the 0 registrations that use it').waitFor();
      await dialog.getByRole('button', { name: 'Delete version 0' }).click();
      await page.getByText('Version 0 is deleted.').waitFor();
      await versions
        .getByRole('button', { name: 'Delete version 1' })
        .waitFor({ state: 'detached' });
      expect(await versions.getByRole('row').count()).toBe(2);
      expect(errors).toEqual([]);
    });

    it('a dropped package that is refused is shown with its findings, and nothing of it is kept', async () => {
      const { page } = await open('author', uploadPath());
      await page.getByRole('button', { name: 'Choose or drop a package' }).waitFor();
      const transfer = await page.evaluateHandle(
        `const data = new DataTransfer();
           data.items.add(new File(['no zip'], 'broken.zip', { type: 'application/zip' }));
           data`,
      );
      await page
        .locator('.mantine-Dropzone-root')
        .dispatchEvent('drop', { dataTransfer: transfer });
      await page.getByText('broken.zip').waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByText('The package was not imported').waitFor();
      const findings = page.getByRole('region', { name: 'Findings of the check' });
      await findings.getByText('Error', { exact: true }).waitFor();
      expect(await violationsIn(page)).toEqual([]);
      await expect.poll(keptPackages).toBe(0);
    });

    it('an empty package is rejected', async () => {
      const { page } = await open('author', uploadPath());
      await page.getByRole('button', { name: 'Choose or drop a package' }).waitFor();
      await page.locator('input[type=file]').setInputFiles(await zip(Buffer.alloc(0)));
      await page.getByText('It is not one zip file, or it is empty.').waitFor();
      expect(await page.getByText('safety.zip').count()).toBe(0);
    });

    it('Cancel ends the transfer, and nothing of the package is kept', async () => {
      const { page } = await open('author', uploadPath());
      const session = await page.context().newCDPSession(page);
      await session.send('Network.enable');
      const slow = { latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 };
      await page.locator('input[type=file]').setInputFiles(await zip(Buffer.alloc(4_000_000)));
      await session.send('Network.emulateNetworkConditions', { offline: false, ...slow });
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByRole('progressbar', { name: 'Upload of safety.zip' }).waitFor();
      await page.getByText(/ of 4 MB sent/).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Choose or drop a package' }).waitFor();
      await session.detach();
      await expect.poll(keptPackages).toBe(0);
    });

    it('a reader does not see it', async () => {
      const { page } = await open('reader', uploadPath());
      await heading(page, 'No access').waitFor();
      expect(await page.getByRole('button', { name: 'Choose or drop a package' }).count()).toBe(0);
    });
  });

  it('a reader sees neither settings nor a button that changes something', async () => {
    const { guid, title } = await sample();
    const { page } = await open('reader', list(`/${guid}`));
    await heading(page, title).waitFor();
    const buttons = page.getByRole('button', { name: /Preview|Delete|Read from the provider/ });
    expect(await buttons.count()).toBe(0);
  });

  it('an unknown course is shown as such', async () => {
    const { page } = await open('reader', list('/nowhere'));
    await page.getByText('the realm has no such course').waitFor();
  });

  it('axe-core finds no violation in the list and in a course', async () => {
    const { guid, title } = await sample();
    await register(guid);
    const { page } = await open('author', list(`?course=${guid}`));
    await row(page, title).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await row(page, title).click();
    await page.getByRole('button', { name: 'Read from the provider' }).click();
    await page.getByText('PlayerShowCourseStructure').waitFor();
    await page.getByRole('button', { name: 'Show the versions' }).click();
    await page.getByRole('table', { name: 'Versions' }).getByRole('time').first().waitFor();
    await page.getByRole('img', { name: /registrations? between/ }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
}
