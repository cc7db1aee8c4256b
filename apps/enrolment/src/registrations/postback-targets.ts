import {
  CourseProviderDirectory,
  type NewRegistration,
  postbackUrl,
} from '@registrar/course-provider';
import { Inject, Injectable } from '@nestjs/common';

/** Injection token of the setting POSTBACK_URL; null without it. */
export const postbackBaseUrl = Symbol('base URL of postbacks');

/** Where course providers post results that have changed. */
@Injectable()
export class PostbackTargets {
  constructor(
    private readonly providers: CourseProviderDirectory,
    @Inject(postbackBaseUrl) private readonly baseUrl: string | null,
  ) {}

  /**
   * Returns the postback settings that a create sends to the provider of an application: nothing without
   * POSTBACK_URL.
   *
   * @throws {Failure} the failure of the credentials' lookup, such as `not-found`
   */
  async forApplication(applicationId: number): Promise<Pick<NewRegistration, 'postback'>> {
    if (this.baseUrl === null) return {};
    const credentials = await this.providers.postbackCredentials(applicationId);
    return { postback: { url: postbackUrl(this.baseUrl, applicationId), ...credentials } };
  }
}
