import { randomUUID } from 'node:crypto';
import { createRealm, issueApiKey, listAuditEntries, listRealms } from '@registrar/contracts';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { ConsoleSystem } from './console-system.fixture.ts';
import { goTo } from './views.ts';
import { violationsIn } from './violations-in.ts';

/** The pages of access. */
export function describeAccess(system: () => ConsoleSystem): void {
  const keysPath = () => `/realms/${system().quickstart.realm_guid}/api-keys`;
  const auditPath = () => `/realms/${system().quickstart.realm_guid}/audit`;
  const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
  const confirm = (page: Page, label: string) =>
    dialog(page, label).getByRole('button', { name: label }).click();
  const newRealm = async (name: string) =>
    (await system().bus.request(createRealm, { name })).realmGuid;
  const newKey = async () => {
    const realmGuid = system().quickstart.realm_guid;
    const permissions = ['read' as const];
    const limits = { userEmail: null, applicationId: null, permissions, lifetimeHours: 8 };
    return (await system().bus.request(issueApiKey, { realmGuid, ...limits })).summary.id;
  };
  /** The secret that a dialog shows. */
  const secretIn = async (page: Page, label: string) => {
    await dialog(page, label).getByText('This is shown once').waitFor();
    return (await dialog(page, label).locator('pre').textContent()) ?? '';
  };

  it('a realm is created with the keyboard alone, its secret key shown once', async () => {
    const { page, errors } = await system().open('operator', '/access/realms');
    await page.getByRole('button', { name: 'Create realm' }).focus();
    await page.keyboard.press('Enter');
    await dialog(page, 'Create realm').waitFor();
    const name = `Made by keyboard ${randomUUID()}`;
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    const secret = await secretIn(page, 'Secret key of the realm');
    expect(secret.length).toBeGreaterThan(20);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name }).waitFor();
    // Two dialogs may still be fading. `first()` is detached only when none is left.
    await page.getByRole('dialog').first().waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    expect(errors).toEqual([]);
  });

  it('realms are searched by name, at an address', async () => {
    await newRealm('Searched for');
    const { page } = await system().open('operator', '/access/realms');
    await page.getByLabel('Search by name').fill('SEARCHED');
    await page.keyboard.press('Enter');
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(page.url()).toMatch(/\?text=SEARCHED$/);
    await page.reload();
    await page.getByRole('button', { name: 'Searched for' }).waitFor();
  });

  it('a realm is disabled after its consequence is named, and enabled', async () => {
    const realm = await newRealm('Switched');
    const { page } = await system().open('operator', `/access/realms?open=${realm}`);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Nobody has access to the realm any more').waitFor();
    await confirm(page, 'Disable');
    await page.getByText('Disabled since').waitFor();
    const page1 = { cursor: null, limit: 1 };
    const { items } = await system().bus.page(listRealms, { realmGuid: realm }, page1);
    expect(items[0]?.disabled_at).not.toBeNull();
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await confirm(page, 'Enable');
    await page.getByText('The realm is enabled.').waitFor();
  });

  it('a secret key is rotated with an overlap, until which the old one is accepted', async () => {
    const realm = await newRealm('Rotated');
    const { page } = await system().open('operator', `/access/realms?open=${realm}`);
    await page.getByRole('button', { name: 'Rotate secret key' }).click();
    await confirm(page, 'Rotate secret key');
    const secret = await secretIn(page, 'Secret key of the realm');
    await page.getByText('The old secret key is accepted until').waitFor();
    await dialog(page, 'Secret key of the realm').getByRole('button', { name: 'Done' }).click();
    await dialog(page, 'Secret key of the realm').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    expect(page.url()).not.toContain(secret);
  });

  it('limits and compatibility of a realm are kept', async () => {
    const realm = await newRealm('Limited');
    const { page } = await system().open('operator', `/access/realms?open=${realm}`);
    await page.getByLabel('Requests per second', { exact: true }).fill('25');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('The limits are stored.').waitFor();
    await page.getByRole('button', { name: 'Serve clients of Bright' }).click();
    await confirm(page, 'Serve clients of Bright');
    await page.getByText('The realm serves the clients of Bright').waitFor();
    await page.reload();
    await page.getByText('The realm serves the clients of Bright').waitFor();
    expect(await page.getByLabel('Requests per second', { exact: true }).inputValue()).toBe('25');
  });

  it('an API key is created with its limits, and its token shown once', async () => {
    const { page, errors } = await system().open('administrator', keysPath());
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('checkbox', { name: 'Write' }).uncheck();
    await page.getByLabel('Lifetime in hours').fill('3');
    await confirm(page, 'Create key');
    const token = await secretIn(page, 'Token of the API key');
    expect(token.length).toBeGreaterThan(20);
    await dialog(page, 'Token of the API key').getByRole('button', { name: 'Done' }).click();
    await dialog(page, 'Token of the API key').waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(token);
    const row = page.getByRole('row').filter({ hasText: 'Launch' }).last();
    await row.waitFor();
    expect(errors).toEqual([]);
  });

  it('an API key is renewed, and revoked after its consequence is named, in the name of the user', async () => {
    const id = await newKey();
    const { page } = await system().open('administrator', keysPath());
    await page.getByRole('button', { name: `Renew key ${id}` }).click();
    await page.getByText('The lifetime of the key begins again.').waitFor();
    const label = `Revoke key ${id}`;
    await page.getByRole('button', { name: label }).click();
    await page.getByText(`Key ${id} is refused at once`).waitFor();
    await confirm(page, label);
    await page.getByText('The key is revoked.').waitFor();
    await page.getByRole('button', { name: label }).first().waitFor({ state: 'detached' });
    const filters = { realmGuid: null, since: null, until: null, action: null, afterId: null };
    const { items } = await system().bus.page(
      listAuditEntries,
      { ...filters, apiKeyId: id, actorName: 'administrator@example.com' },
      { cursor: null, limit: 10 },
    );
    expect(items.map(({ action, actor }) => [action, actor])).toEqual([
      ['api-key.renewed', 'console'],
      ['api-key.revoked', 'console'],
    ]);
  });

  it('the audit log begins at the newest entry, and its filters have an address', async () => {
    const id = await newKey();
    const { page } = await system().open('administrator', auditPath());
    await page.getByRole('row').nth(1).getByText(`api_key_id: ${id}`).waitFor();
    await page.getByRole('combobox', { name: 'Act', exact: true }).click();
    await page.getByRole('option', { name: 'api-key.created' }).click();
    await page.getByRole('combobox', { name: 'Actor' }).click();
    await page.getByRole('option', { name: 'Command line' }).click();
    await page.getByLabel('API key').fill(String(id));
    await page.getByText('1 row', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.toString()).toBe(
      `action=api-key.created&actor=operator&key=${id}`,
    );
    await page.reload();
    await page.getByText('1 row', { exact: true }).waitFor();
    await page.goto(`${system().url}${auditPath()}?to=2020-01-01`);
    await page.getByText('No entries').waitFor();
  });

  it('the operator sees the audit log of all realms, and of one that is chosen', async () => {
    await newRealm('Logged');
    const { page } = await system().open('operator', '/access/audit');
    await page.getByText('realm.created').first().waitFor();
    await page.getByRole('combobox', { name: 'Realm' }).last().fill('Logged');
    await page.getByRole('option', { name: 'Logged' }).click();
    await page.getByText('1 row', { exact: true }).waitFor();
  });

  it('axe-core finds no violation in realms, a realm, API keys and the audit log', async () => {
    await newKey();
    const { page } = await system().open('operator', '/access/realms');
    await page.getByRole('table').getByRole('button').first().click();
    await page.getByRole('button', { name: 'Rotate secret key' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rotate secret key' }).click();
    await dialog(page, 'Rotate secret key').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await goTo(page, keysPath());
    await page
      .getByRole('button', { name: /^Renew key/ })
      .first()
      .waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog(page, 'Create key').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    for (const path of [auditPath(), '/access/audit']) {
      await goTo(page, path);
      await page.getByRole('row').nth(1).getByRole('time').waitFor();
      expect(await violationsIn(page)).toEqual([]);
    }
  });

  it.each(['author', 'reader'] as const)(
    'a user who is %s of the realm sees neither the pages nor their entries in the navigation',
    async (role) => {
      const { page } = await system().open(role, '/');
      for (const path of [keysPath(), auditPath(), '/access/realms', '/access/audit']) {
        await goTo(page, path);
        await page.getByRole('heading', { name: 'No access' }).waitFor();
        for (const name of ['API keys', 'Audit log', 'Realms']) {
          expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
        }
      }
    },
  );

  it('an administrator of a realm sees no page of the installation, and none of another realm', async () => {
    const foreign = await newRealm('Foreign');
    const { page } = await system().open('administrator', '/');
    for (const path of ['/access/realms', '/access/audit', `/realms/${foreign}/api-keys`]) {
      await goTo(page, path);
      await page.getByRole('heading', { name: 'No access' }).waitFor();
    }
  });
}
