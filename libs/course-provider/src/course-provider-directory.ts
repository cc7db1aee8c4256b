import { type ProviderCredentials } from '#libs/contracts';
import { providerSecretPurpose, type Sealing } from '#libs/platform';
import { connectCourseProvider } from './connect-course-provider.ts';
import { type CourseProvider } from './course-provider.ts';

/** Milliseconds for which a connection is kept before its credentials are asked for again. */
const keptFor = 10_000;

/**
 * The course providers of an installation's provider applications. A service makes one, with a
 * function that asks identity:
 *
 * ```ts
 * new CourseProviderDirectory((applicationId) => bus.request(providerCredentials, { applicationId }), sealing)
 * ```
 */
export class CourseProviderDirectory {
  readonly #ask: (applicationId: number) => Promise<ProviderCredentials>;
  readonly #sealing: Sealing;
  readonly #kept = new Map<number, { provider: CourseProvider; until: number }>();

  constructor(ask: (applicationId: number) => Promise<ProviderCredentials>, sealing: Sealing) {
    this.#ask = ask;
    this.#sealing = sealing;
  }

  /** @throws {Failure} what asking for the credentials throws */
  async forApplication(applicationId: number): Promise<CourseProvider> {
    const kept = this.#kept.get(applicationId);
    if (kept && kept.until > Date.now()) return kept.provider;
    const { baseUrl, appId, sealedSecretKey } = await this.#ask(applicationId);
    const secretKey = this.#sealing.open(sealedSecretKey, providerSecretPurpose(appId));
    const provider = connectCourseProvider({ baseUrl, appId, secretKey });
    this.#kept.set(applicationId, { provider, until: Date.now() + keptFor });
    return provider;
  }

  /** Forgets every connection: the next call asks for its credentials anew. */
  forget(): void {
    this.#kept.clear();
  }
}
