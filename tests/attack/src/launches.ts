import { eventually } from '@registrar/testing';
import type { Attack } from './attack.ts';
import { form, HttpClient } from './http-client.ts';
import { type LaunchedCourse, launchCourse, openLink } from './launch-course.ts';
import type { Target } from './target.ts';
import { createTenant, type Tenant } from './tenant.ts';

/** Uses launch links and windows after they have ended. */
export const launches: Attack = {
  name: 'launches',
  tried:
    'links and windows used twice, at another origin, of a deleted registration, of a former key, of a disabled realm; the provider’s API with the pair of a disabled realm',
  async run(target) {
    const learner = new Learner(
      new HttpClient(target, '127.0.1.1'),
      await createTenant(target, 'launches'),
    );
    await useLinkTwice(learner);
    await deleteRegistrations(learner);
    await rotateKey(target, learner);
    await disableRealm(target, learner);
    learner.client.close();
    return { violations: learner.violations };
  },
};

/** A learner who keeps links and the addresses of windows. */
class Learner {
  readonly violations: string[] = [];

  constructor(
    readonly client: HttpClient,
    readonly tenant: Tenant,
  ) {}

  launch(): Promise<LaunchedCourse> {
    return launchCourse(this.client, this.tenant, this.tenant.courseGuid);
  }

  /** Launches a course, and loads its window. */
  async openWindow(): Promise<LaunchedCourse & { readonly window: string }> {
    const launched = await this.launch();
    const window = await openLink(this.client, launched.link);
    if (!window || !(await this.opens(window))) throw new Error('a new link opens no window');
    return { ...launched, window };
  }

  async opens(address: string): Promise<boolean> {
    const { status } = await this.client.send(address);
    return status < 400;
  }

  async expectEnded(what: string, address: string): Promise<void> {
    if (await this.opens(address)) this.violations.push(`${what} opens the course`);
  }
}

async function useLinkTwice(learner: Learner): Promise<void> {
  const { link, window } = await learner.openWindow();
  await learner.expectEnded('a link used twice', link);
  if (!(await learner.opens(window))) learner.violations.push('a reloaded window has ended');
  const other = await learner.launch();
  const at = (host: string, address: string) => {
    const moved = new URL(address);
    moved.host = new URL(host).host;
    return moved.href;
  };
  await learner.expectEnded('a link at the origin of another launch', at(link, other.link));
  await learner.expectEnded('a window at the origin of another launch', at(other.link, window));
}

async function deleteRegistrations(learner: Learner): Promise<void> {
  const opened = await learner.openWindow();
  const unused = await learner.launch();
  const access = form(learner.tenant.pair).toString();
  for (const { registration } of [opened, unused]) {
    await learner.client.call(`/registration/${registration}.json?${access}`, { method: 'DELETE' });
  }
  await learner.expectEnded('the window of a deleted registration', opened.window);
  await learner.expectEnded('a link of a deleted registration', unused.link);
}

async function rotateKey(target: Target, learner: Learner): Promise<void> {
  const { link } = await learner.launch();
  await target.registrar('launch-key', 'rotate', '--end-links');
  await learner.expectEnded('a link signed by an ended key', link);
}

/**
 * Enrolment ends the launches of a disabled realm at the provider one after the other, after
 * identity's event. A link can be followed repeatedly until its window is loaded, so that it is
 * looked at until it has ended.
 */
async function disableRealm(target: Target, learner: Learner): Promise<void> {
  const { window, registration } = await learner.openWindow();
  const { link } = await learner.launch();
  await target.registrar('realm', 'disable', learner.tenant.realmGuid);
  for (const [what, address] of [
    ['the window of a disabled realm', window],
    ['a link of a disabled realm', link],
  ] as const) {
    await eventually(`${what} has ended`, async () => !(await learner.opens(address))).catch(() =>
      learner.violations.push(`${what} still opens the course`),
    );
  }
  await useProviderApi(target, learner, registration);
}

/** Uses the provider's API with the pair of an application whose realm is disabled. */
async function useProviderApi(target: Target, learner: Learner, registration: string) {
  const { sc_app_id: appId, sc_secret_key: secretKey } = learner.tenant.providerPair;
  const authorization = `Basic ${Buffer.from(`${appId}:${secretKey}`).toString('base64')}`;
  const statusOf = async (method: string, path: string) => {
    const { status } = await fetch(`${target.providerUrl}/api/v2/${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    });
    return status;
  };
  for (const [method, path] of [
    ['GET', 'registrations'],
    ['POST', 'registrations'],
    ['POST', `registrations/${registration}/launchLink`],
  ] as const) {
    await eventually(
      `${path} is refused`,
      async () => (await statusOf(method, path)) === 403,
    ).catch(() => learner.violations.push(`${method} ${path} of a disabled realm is accepted`));
  }
}
