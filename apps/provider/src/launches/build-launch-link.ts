import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { bodyObject } from '../http/parse.ts';
import { PublicUrl } from '../public-url.ts';
import { FindRegistration } from '../registrations/find-registration.ts';
import { LaunchLinkKey } from './launch-link-key.ts';
import { signLaunch } from './launch-link.ts';

const maxExpirySeconds = 7 * 86_400;

/** SCORM Cloud's values for no URL, after which the player shows a page of its own. */
const noRedirectUrl = z.enum(['', 'message', 'closer']).transform(() => null);

export const launchLinkBody = bodyObject({
  expiry: z.int().min(1).max(maxExpirySeconds).default(120),
  redirectOnExitUrl: z
    .union([noRedirectUrl, z.url({ protocol: /^https?$/ }).max(2048)], {
      error: 'not an http or https address',
    })
    .default(null),
  tracking: z.boolean().default(true),
});

/** Builds links that open the course of a registration without a login. */
@Injectable()
export class BuildLaunchLink {
  constructor(
    private readonly findRegistration: FindRegistration,
    private readonly key: LaunchLinkKey,
    @Inject(PublicUrl) private readonly publicUrl: PublicUrl,
  ) {}

  async build(
    application: AuthenticatedApplication,
    registrationId: string,
    { expiry, redirectOnExitUrl, tracking }: z.output<typeof launchLinkBody>,
  ): Promise<string> {
    const registration = await this.findRegistration.findRow(application, registrationId);
    const token = await signLaunch(
      { registration: registration.id, tracking, redirectUrl: redirectOnExitUrl },
      expiry,
      await this.key.get(),
    );
    return `${this.publicUrl.value}/launch/${token}`;
  }
}
