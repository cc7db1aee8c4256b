import { SkippedCase } from './conformance-case.ts';
import { recordOf, textOf } from './checks.ts';
import type { Installation } from './installation.ts';

/**
 * Calls the API of the course provider directly, with the credentials of the provider application.
 * Its address is that of the quickstart file, or the origin of a launch URL without the label of the
 * launch.
 */
export class ProviderAccount {
  private constructor(
    private readonly root: string,
    private readonly authorization: string,
  ) {}

  /** @throws {SkippedCase} when the API does not respond at these addresses */
  static of(target: Installation): Promise<ProviderAccount> {
    return target.once('provider account', async () => {
      const registration = await target.register(target.facts.course_guid);
      const launch = await target.api.get(
        `/registration/${registration}/launch_url.json`,
        target.realm,
      );
      const { protocol, host } = new URL(textOf(recordOf(launch), 'launch_url'));
      const withoutLabel = `${protocol}//${host.slice(host.indexOf('.') + 1)}`;
      const pair = `${target.facts.sc_app_id}:${target.facts.sc_secret_key}`;
      const authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
      const addresses = [target.facts.provider_url, withoutLabel].filter(
        (address) => address !== undefined,
      );
      for (const address of addresses) {
        const account = new ProviderAccount(`${address}/api/v2`, authorization);
        const pingStatus = await account.call('GET', '/ping').catch(() => null);
        if (pingStatus === 200) return account;
      }
      throw new SkippedCase(`no course provider responds at ${addresses.join(' or ')}`);
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

  /** Creates a registration that the installation does not know. */
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
