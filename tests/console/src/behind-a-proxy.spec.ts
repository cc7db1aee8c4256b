import {
  identityProviderClient,
  startIdentityProvider,
  type TestIdentityProvider,
} from '@registrar/console/testing/identity-provider';
import { createRealm } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { findChromium, freePort } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { useConsole } from './console-system.fixture.ts';
import { type ReverseProxy, startReverseProxy } from './reverse-proxy.fixture.ts';
import { violationsIn } from './violations-in.ts';

const prefix = '/learning/console';
const [targetPort, port, providerPort] = await Promise.all([freePort(), freePort(), freePort()]);

describeWith(findChromium(), 'the console behind a proxy', (executablePath) => {
  const system = useConsole(executablePath, {
    CONSOLE_PORT: String(targetPort),
    CONSOLE_URL: `http://localhost:${port}${prefix}`,
    CONSOLE_OIDC_ISSUER: `http://localhost:${providerPort}`,
    ...identityProviderClient,
    TRUSTED_PROXIES: 'loopback',
  });
  let proxy: ReverseProxy;
  let provider: TestIdentityProvider;
  beforeAll(async () => {
    proxy = await startReverseProxy({ port, targetPort, prefix });
    provider = await startIdentityProvider(`${system().url}/sign-in/callback`, providerPort);
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await proxy.stop();
    await provider.stop();
  });

  const inRealm = (path: string) => `/realms/${system().quickstart.realm_guid}${path}`;
  const signInAs = async (roles: readonly string[], path: string) => {
    provider.user = {
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      registrar_roles: roles,
    };
    const window = await system().openSignedOut(path);
    await window.page.getByRole('link', { name: 'Sign in with your organization' }).click();
    return window;
  };

  it('a user signs in at the identity provider, and sees the page that was asked for', async () => {
    const { page } = await signInAs(
      [`administrator:${system().quickstart.realm_guid}`],
      inRealm('/courses?title=first'),
    );
    await page.getByRole('heading', { name: 'Courses', level: 1 }).waitFor();
    expect(page.url()).toBe(`${system().url}${inRealm('/courses?title=first')}`);
    await page.getByRole('button', { name: 'Signed in as ada@example.com' }).waitFor();
  });

  it('a role that must not see a page has neither the page nor its entry', async () => {
    const { page } = await signInAs(
      [`reader:${system().quickstart.realm_guid}`],
      inRealm('/api-keys'),
    );
    await page.getByRole('heading', { name: 'No access' }).waitFor();
    await page.getByRole('link', { name: 'Courses' }).waitFor();
    expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Overview' }).count()).toBe(0);
  });

  it('an account without a role is told so, with the request id', async () => {
    const { page } = await signInAs(['operator of something else'], '/overview');
    await page.getByText('Your account has no role in this installation.').waitFor();
    await page.getByText(/^Request [\w-]{8,}/).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  it('everything that a page loads is below the prefix', async () => {
    const { page, errors } = await system().open('operator', '/parked-events');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.reload();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(requested.filter((url) => !url.startsWith(`${system().url}/`))).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('a broken live stream shows its age, and recovers', async () => {
    const { page } = await system().open('operator', '/parked-events');
    await page.getByText('Live', { exact: true }).waitFor();
    proxy.cut();
    await page
      .getByRole('status')
      .filter({ hasText: /\d+ .*old$/ })
      .waitFor();
    await page.getByRole('heading', { name: 'Parked events', level: 1 }).waitFor();
    await system()
      .database('enrolment')
      .execute(
        sql`INSERT INTO parked_events (message_id, content, attempts, reason)
            VALUES ('while it was broken', '', 1, 'parked while the stream was broken')`,
      );
    proxy.restore();
    await page.getByText('parked while the stream was broken').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('a hidden page gives its connection back, and is live again when it is shown', async () => {
    const { page } = await system().open('operator', '/parked-events');
    await page.getByText('Live', { exact: true }).waitFor();
    const turn = (hidden: boolean) =>
      page.evaluate(`
        Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));`);
    const ended = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/api/live?'),
    );
    await turn(true);
    await ended;
    await page.getByRole('status').filter({ hasText: /old$/ }).waitFor();
    await turn(false);
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('an operator chooses among several realms, and stays on the page', async () => {
    const { realmGuid } = await system().bus.request(createRealm, { name: 'Second realm' });
    const { page, errors } = await system().open('operator', inRealm('/courses'));
    await page.getByRole('button', { name: 'First aid basics' }).waitFor();
    await page.getByRole('combobox', { name: 'Realm' }).click();
    await page.getByRole('option', { name: 'Second realm' }).click();
    await page.waitForURL(`${system().url}/realms/${realmGuid}/courses`);
    await page.getByRole('button', { name: 'First aid basics' }).waitFor({ state: 'hidden' });
    expect(errors).toEqual([]);
  });
});
