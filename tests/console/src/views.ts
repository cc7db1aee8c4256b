import type { Page } from 'playwright-core';

/** The samples that the addresses of pages name. */
export interface Samples {
  readonly realm: string;
  /** The provider application's id. */
  readonly application: number;
  /** The GUID of a course. */
  readonly course: string;
  /** The GUID of a registration. */
  readonly registration: string;
  /** The license's id. */
  readonly invitation: number;
}

/** A page of the console, as an operator opens it. */
export interface View {
  /** The name of its image. */
  readonly name: string;
  /** Its address in the console, without the prefix. */
  readonly path: (samples: Samples) => string;
  /** What a user does to see more of it. */
  readonly prepare?: (page: Page) => Promise<void>;
}

const inRealm =
  (path: (samples: Samples) => string): View['path'] =>
  (samples) =>
    `/realms/${samples.realm}${path(samples)}`;

/** The page that a user sees without a session. */
export const signInView: View = { name: 'sign-in', path: () => '/sign-in' };

/** Every page behind the sign-in, in the order of docs/console.md. */
export const views: readonly View[] = [
  {
    name: 'overview',
    path: () => '/overview?span=day',
    // A process reports every 15 s.
    prepare: async (page) => {
      await page.getByText('1 running').first().waitFor();
      await page.getByText('No report').first().waitFor({ state: 'detached' });
      await page.getByText('Events of enrolment are parked.').waitFor();
      // Rates are known after two reports of each app, and that of the installation with them.
      await page
        .getByText(/^[\d.,]+ \/ s$/)
        .nth(7)
        .waitFor();
    },
  },
  { name: 'realms', path: () => '/access/realms' },
  { name: 'all-provider-applications', path: () => '/provider-applications' },
  {
    name: 'parked-events',
    path: () => '/parked-events',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'catalog.course-changed' }).click();
      await page.getByRole('button', { name: 'Replay' }).waitFor();
    },
  },
  { name: 'all-audit', path: () => '/access/audit' },
  { name: 'registrations', path: inRealm(() => '/registrations?sort=-updated_at') },
  { name: 'registration', path: inRealm(({ registration }) => `/registrations/${registration}`) },
  { name: 'courses', path: inRealm(() => '/courses') },
  { name: 'course', path: inRealm(({ course }) => `/courses/${course}`) },
  {
    name: 'upload-course',
    path: inRealm(() => '/upload-course'),
    prepare: async (page) => {
      const broken = { name: 'safety.zip', mimeType: 'application/zip', buffer: Buffer.from('no') };
      await page.locator('input[type=file]').setInputFiles(broken);
      await page.getByRole('button', { name: 'Upload', exact: true }).click();
      await page.getByText('The package was not imported').waitFor();
    },
  },
  { name: 'invitations', path: inRealm(() => '/invitations') },
  { name: 'invitation', path: inRealm(({ invitation }) => `/invitations/${invitation}`) },
  {
    name: 'add-learners',
    path: inRealm(({ invitation }) => `/invitations/${invitation}/add-learners`),
    prepare: async (page) => {
      const text = 'learner-01@example.com\nlearner-40@example.com\nno address\n';
      await page.getByRole('textbox', { name: 'Or enter addresses' }).fill(text);
      await page.getByRole('button', { name: 'Show the preview' }).click();
      await page.getByText('Preview: nothing has changed yet').waitFor();
    },
  },
  { name: 'reports', path: inRealm(() => '/reports') },
  {
    name: 'report',
    path: inRealm(() => '/reports/completion_by_course'),
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('table', { name: 'Result' }).waitFor();
    },
  },
  {
    name: 'report-editor',
    path: inRealm(() => '/new-report'),
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'SQL' }).click();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.type('SELECT titel, registrations FROM courses');
      await page.getByText('Line 1, column 8').waitFor();
    },
  },
  { name: 'provider-applications', path: inRealm(() => '/provider-applications') },
  {
    name: 'provider-application',
    path: inRealm(({ application }) => `/provider-applications/${application}`),
  },
  { name: 'api-keys', path: inRealm(() => '/api-keys') },
  { name: 'audit', path: inRealm(() => '/audit') },
];

/** What a page shows while it waits for a reply. */
const pending = 'main :is([aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root)';

/** Opens a view, and waits until it has what it asks for. */
export async function openView(page: Page, consoleUrl: string, address: string): Promise<void> {
  await page.goto(consoleUrl + address);
  await waitUntilShown(page);
}

/** Goes to a view in a window with the console, as a link does, and waits until the view has what it asks for. */
export async function goToView(page: Page, address: string): Promise<void> {
  await goTo(page, address);
  await waitUntilShown(page);
}

/** Goes to an address of the console in a window with it, as a link does: without loading the console again. */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(`new Promise((resolve) => {
    const end = __TSR_ROUTER__.subscribe('onRendered', () => { end(); resolve(); });
    __TSR_ROUTER__.history.push(${JSON.stringify(address)});
  })`);
}

async function waitUntilShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator(pending).first().waitFor({ state: 'detached' });
}
