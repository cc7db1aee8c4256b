import { postbackUserName, type ProviderCredentials } from '@registrar/contracts';
import {
  clock,
  postbackSecretPurpose,
  providerSecretPurpose,
  type Sealing,
} from '@registrar/platform';
import { type CallLimits } from './call-limits.ts';
import { connectCourseProvider } from './connect-course-provider.ts';
import { type PostbackTarget } from './course-provider.ts';
import { type CourseProvider } from './http-course-provider.ts';

/** How long credentials are cached. A missed invalidation takes effect after this time. */
const credentialsTtlMs = 10_000;

interface CachedApplication {
  readonly credentials: ProviderCredentials;
  readonly provider: CourseProvider;
  readonly expiresAt: number;
}

/**
 * Connects provider applications to their course providers, and caches the credentials for 10
 * seconds. Use one directory per process:
 *
 * ```ts
 * const directory = new CourseProviderDirectory(
 *   (applicationId) => bus.request(findProviderCredentials, { applicationId }),
 *   sealing,
 * );
 * const provider = await directory.forApplication(7);
 * ```
 */
export class CourseProviderDirectory {
  readonly #cached = new Map<number, CachedApplication>();

  /**
   * @param findCredentials looks up the credentials of an application; its failures are not cached
   * @param sealing opens the sealed secret keys
   * @param limits limits the calls; null: nothing does
   */
  constructor(
    private readonly findCredentials: (applicationId: number) => Promise<ProviderCredentials>,
    private readonly sealing: Sealing,
    private readonly limits: CallLimits | null = null,
  ) {}

  /**
   * Returns the course provider of an application.
   *
   * @throws {Failure} the failure of the credentials' lookup, such as `not-found`
   * @throws when the secret key was sealed for another application id or with an unknown key
   */
  async forApplication(applicationId: number): Promise<CourseProvider> {
    return (await this.#lookUp(applicationId)).provider;
  }

  /**
   * Returns with which credentials the course provider of an application authenticates its postbacks.
   *
   * @throws {Failure} the failure of the credentials' lookup, such as `not-found`
   * @throws when the password was sealed for another application id or with an unknown key
   */
  async postbackCredentials(applicationId: number): Promise<Omit<PostbackTarget, 'url'>> {
    const { appId, sealedPostbackSecret } = (await this.#lookUp(applicationId)).credentials;
    const password = this.sealing.open(sealedPostbackSecret, postbackSecretPurpose(appId));
    return { userName: postbackUserName, password };
  }

  /** Drops all cached credentials, so that the next call looks them up again. */
  invalidate(): void {
    this.#cached.clear();
  }

  async #lookUp(applicationId: number): Promise<CachedApplication> {
    const cached = this.#cached.get(applicationId);
    if (cached && cached.expiresAt > clock.now()) return cached;
    const credentials = await this.findCredentials(applicationId);
    const { baseUrl, appId, sealedSecretKey } = credentials;
    const secretKey = this.sealing.open(sealedSecretKey, providerSecretPurpose(appId));
    const { limits } = this;
    const limit = limits && {
      beforeCall: (attempt: number) => limits.beforeCall(applicationId, attempt),
      afterThrottling: (retryAfter: number | null) =>
        limits.afterThrottling(applicationId, retryAfter),
    };
    const provider = connectCourseProvider({ baseUrl, appId, secretKey }, limit);
    const found = { credentials, provider, expiresAt: clock.now() + credentialsTtlMs };
    this.#cached.set(applicationId, found);
    return found;
  }
}
