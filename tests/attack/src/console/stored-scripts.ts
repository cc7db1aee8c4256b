import { findChromium } from '@registrar/testing';
import { openBrowser } from '@registrar/testing/browser';
import type { Page } from 'playwright-core';
import { form, type HttpClient } from '../http-client.ts';
import { registerLearner } from '../launch-course.ts';
import { samplePackage, type Tenant } from '../tenant.ts';
import type { ConsoleClient } from './console-client.ts';

/** Texts that a page which does not escape them would run; each marks the window. */
const scripts = [
  '<img src=x onerror="window.attacked=true">',
  '"><script>window.attacked=true</script>',
  'javascript:window.attacked=true',
  '{{constructor.constructor("window.attacked=true")()}}',
] as const;
const script = scripts.join(' ');

/** What a page shows while it waits for a reply. */
const pending = 'main :is([aria-busy="true"], .mantine-Skeleton-root, .mantine-Loader-root)';

/**
 * Stores scripts in titles, names, custom data, learners and the name of a file, and opens every page that shows them
 * as a user whose name is one too. Returns the violations: no script runs, and the policy has nothing to refuse.
 */
export async function tryStoredScripts(
  client: ConsoleClient,
  http: HttpClient,
  tenant: Tenant,
): Promise<string[]> {
  const installed = findChromium();
  if (!installed.available) throw new Error(installed.reason);
  const paths = await store(http, tenant);
  const cookie = await client.cookieOf(`user ${script}`, ['operator']);
  const browser = await openBrowser(installed.handle);
  const violations: string[] = [];
  try {
    const context = await browser.newContext();
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: client.url }]);
    for (const path of paths) {
      const page = await context.newPage();
      const note = (text: string) => violations.push(`${path}: ${text}`);
      page.on('pageerror', ({ message }) => note(message));
      page.on('dialog', (dialog) => note(dialog.message()));
      page.on('console', (message) => message.type() === 'error' && note(message.text()));
      await page.goto(client.url + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator(pending).first().waitFor({ state: 'detached' });
      if (await page.evaluate<boolean>('window.attacked === true')) note('a script ran');
      await page.close();
    }
    const shown = await context.newPage();
    await shown.goto(`${client.url}/realms/${tenant.realmGuid}/courses`);
    await shown.getByText(scripts[0], { exact: false }).first().waitFor();
    violations.push(...(await tryFrame(await context.newPage(), client.url)));
  } finally {
    await browser.close();
  }
  return violations;
}

/** Frames the console in a page of another origin. */
async function tryFrame(page: Page, consoleUrl: string): Promise<string[]> {
  await page.setContent(`<iframe src="${consoleUrl}/overview"></iframe>`);
  const frame = page.frames().find((each) => each !== page.mainFrame());
  await frame?.waitForLoadState();
  const text = (await frame?.locator('body').textContent()) ?? '';
  return text.includes('Registrar') ? ['another site shows the console in a frame'] : [];
}

/** Stores the scripts as clients of the API do. Returns the pages that show them. */
async function store(http: HttpClient, tenant: Tenant): Promise<string[]> {
  const send = async (path: string, body: FormData | URLSearchParams) => {
    const { status, text } = await http.call(path, { body });
    if (status >= 300) throw new Error(`${path} returned ${status}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const custom = JSON.stringify({ [script]: script });
  const course = new FormData();
  const fields = { ...tenant.pair, course_guid: 'scripted', title: script, custom };
  for (const [name, value] of Object.entries(fields)) course.set(name, value);
  course.set('file', new Blob([Uint8Array.from(await samplePackage())]), `${scripts[0]}.zip`);
  await send('/course.json', course);
  const registration = await registerLearner(http, tenant, 'scripted');
  await http.call(`/registration/${registration}.json`, {
    method: 'PUT',
    body: form({ ...tenant.pair, custom }),
  });
  const { id } = await send(
    '/invitation.json',
    form({
      ...tenant.pair,
      name: script,
      description: script,
      course_guids: JSON.stringify(['scripted']),
      custom,
    }),
  );
  const realm = `/realms/${tenant.realmGuid}`;
  return [
    '/overview',
    `/access/realms?text=${encodeURIComponent(script)}`,
    '/access/audit',
    '/provider-applications',
    '/parked-events',
    `/sign-in?problem=${encodeURIComponent(script)}&request=${encodeURIComponent(script)}`,
    `${realm}/registrations?learner=${encodeURIComponent(script)}`,
    `${realm}/registrations`,
    `${realm}/registrations/${registration}`,
    `${realm}/courses`,
    `${realm}/courses/scripted`,
    `${realm}/invitations`,
    `${realm}/invitations/${String(id)}`,
    `${realm}/reports`,
    `${realm}/audit`,
    `${realm}/api-keys`,
  ];
}
