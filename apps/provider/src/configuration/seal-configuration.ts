import { Sealing } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { PostbackOrigins } from '../egress/allowed-origins.ts';
import type { Configuration } from './settings.ts';

const purposeOf = ({ id }: AuthenticatedApplication) => `postback-password:${id}`;

/** Prepares settings to be stored: checks the origin of postbacks, and seals their password. */
@Injectable()
export class SealConfiguration {
  constructor(
    private readonly origins: PostbackOrigins,
    private readonly sealing: Sealing,
  ) {}

  /**
   * @param urlName the name of the URL in the request
   * @throws {BadRequestException} if the operator does not allow the origin of the URL
   */
  seal(
    application: AuthenticatedApplication,
    configuration: Configuration,
    urlName: string = 'ApiRollupRegistrationPostBackUrl',
  ): Configuration {
    const { ApiRollupRegistrationPostBackUrl: url, ApiRollupRegistrationAuthPassword: password } =
      configuration;
    if (url) this.origins.assertIncludes(url, urlName);
    if (!password) return configuration;
    const sealed = this.sealing.seal(password, purposeOf(application));
    return { ...configuration, ApiRollupRegistrationAuthPassword: sealed };
  }

  /** Opens a stored password. @throws {Error} if no key of `LAUNCH_KEY_FILE` opens it */
  openPassword(application: AuthenticatedApplication, sealed: string): string {
    return sealed === '' ? '' : this.sealing.open(sealed, purposeOf(application));
  }

  /** Seals a stored password under the first key of `LAUNCH_KEY_FILE`. */
  resealPassword(application: AuthenticatedApplication, sealed: string): string {
    return this.sealing.seal(this.openPassword(application, sealed), purposeOf(application));
  }

  /** The prefix of passwords that are sealed under the first key. */
  get prefix(): string {
    return this.sealing.prefix;
  }
}
