import {
  CourseProviderDirectory,
  CourseProviderError,
  type NewRegistration,
  postbackUrl,
  type ProviderFaultKind,
  retryDelay,
} from '@registrar/course-provider';
import { clock, remainingTimeMs } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';

/** Injection token of the setting POSTBACK_URL; null without it. */
export const postbackBaseUrl = Symbol('base URL of postbacks');

const refusals: readonly ProviderFaultKind[] = ['refused', 'unauthorized', 'not-found'];

/** Returns whether the provider refused the create, so that the registration does not exist there. */
export const isRefusal = (error: unknown): error is CourseProviderError =>
  error instanceof CourseProviderError && refusals.includes(error.fault.kind);

/** Creates registrations at course providers, which post results that have changed to POSTBACK_URL. */
@Injectable()
export class CreateAtProvider {
  constructor(
    private readonly providers: CourseProviderDirectory,
    @Inject(postbackBaseUrl) private readonly baseUrl: string | null,
  ) {}

  /**
   * Creates a registration unless it exists at the provider. Retries after transient errors, for
   * instance a connection that the provider closes before its response.
   *
   * @param mayExist whether an earlier attempt, whose response was lost, may have succeeded
   * @throws {CourseProviderError} also for a refusal ({@link isRefusal})
   * @throws {Failure} the failure of the credentials' lookup, such as `not-found`
   */
  async create(
    applicationId: number,
    registration: Omit<NewRegistration, 'postback'>,
    { mayExist }: { mayExist: boolean },
  ): Promise<void> {
    const provider = await this.providers.forApplication(applicationId);
    const wanted = { ...registration, ...(await this.postbackSettings(applicationId)) };
    const exists = () => provider.registrationExists(wanted.registrationGuid);
    for (let attempt = 1; ; attempt += 1) {
      if ((mayExist || attempt > 1) && (await exists())) return;
      try {
        await provider.createRegistration(wanted);
        return;
      } catch (error) {
        if (!(error instanceof CourseProviderError)) throw error;
        // The provider refuses the second of two concurrent attempts, and the first has succeeded.
        if (error.fault.kind === 'refused' && (await exists())) return;
        const delay = retryDelay(error.fault, attempt, remainingTimeMs(), Math.random());
        if (delay === null) throw error;
        await clock.sleep(delay);
      }
    }
  }

  private async postbackSettings(
    applicationId: number,
  ): Promise<Pick<NewRegistration, 'postback'>> {
    if (this.baseUrl === null) return {};
    const credentials = await this.providers.postbackCredentials(applicationId);
    return { postback: { url: postbackUrl(this.baseUrl, applicationId), ...credentials } };
  }
}
