import { NotTried } from './conformance-case.ts';
import { recordOf, textOf } from './checks.ts';
import type { Installation } from './installation.ts';

/**
 * The course provider's own API, as the holder of the application's account calls it past the
 * installation. It is looked for where launches lead.
 */
export class ProviderAccount {
  private constructor(
    private readonly root: string,
    private readonly authorization: string,
  ) {}

  /** @throws {NotTried} when there is no such API within reach */
  static of(on: Installation): Promise<ProviderAccount> {
    return on.once('provider account', async () => {
      const registration = await on.register(on.facts.course_guid);
      const launch = await on.api.get(`/registration/${registration}/launch_url.json`, on.realm);
      const root = `${new URL(textOf(recordOf(launch), 'launch_url')).origin}/api/v2`;
      const pair = `${on.facts.sc_app_id}:${on.facts.sc_secret_key}`;
      const account = new ProviderAccount(root, `Basic ${Buffer.from(pair).toString('base64')}`);
      const answered = await account.call('GET', '/ping').catch(() => null);
      if (answered !== 200) throw new NotTried(`no course provider answers at ${root}`);
      return account;
    });
  }

  deleteCourse(courseGuid: string): Promise<number> {
    return this.call('DELETE', `/courses/${encodeURIComponent(courseGuid)}`);
  }

  deleteRegistration(registrationGuid: string): Promise<number> {
    return this.call('DELETE', `/registrations/${encodeURIComponent(registrationGuid)}`);
  }

  async holdsRegistration(registrationGuid: string): Promise<boolean> {
    return (
      (await this.call('HEAD', `/registrations/${encodeURIComponent(registrationGuid)}`)) < 300
    );
  }

  /** A registration that the installation has not made. */
  async register(registration: {
    registrationId: string;
    courseId: string;
    learner: { id: string; email: string; firstName: string; lastName: string };
  }): Promise<number> {
    return this.call('POST', '/registrations', registration);
  }

  /** The provider's own record of a registration. */
  async registration(registrationGuid: string): Promise<unknown> {
    const response = await this.fetch('GET', `/registrations/${registrationGuid}`);
    return response.json();
  }

  private async call(method: string, path: string, body?: unknown): Promise<number> {
    const response = await this.fetch(method, path, body);
    await response.body?.cancel();
    return response.status;
  }

  private fetch(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(this.root + path, {
      method,
      headers: {
        authorization: this.authorization,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
  }
}
