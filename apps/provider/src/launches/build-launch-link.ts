import { Inject, Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { bodyObject } from '../http/parse.ts';
import { ContentOrigins } from '../origins/content-origins.ts';
import { FindRegistration } from '../registrations/find-registration.ts';
import { LaunchLinkKeys } from './launch-link-keys.ts';
import { maxExpirySeconds, signLaunch } from './launch-link.ts';

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

/** Builds links that open the course of a registration without a login, each at its own origin. */
@Injectable()
export class BuildLaunchLink {
  constructor(
    private readonly findRegistration: FindRegistration,
    private readonly keys: LaunchLinkKeys,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  async build(
    application: AuthenticatedApplication,
    registrationId: string,
    { expiry, redirectOnExitUrl, tracking }: z.output<typeof launchLinkBody>,
  ): Promise<string> {
    const registration = await this.findRegistration.findRow(application, registrationId);
    const label = randomBytes(16).toString('hex');
    const { id, launch_generation: generation } = registration;
    const token = await signLaunch(
      { registration: id, generation, label, tracking, redirectUrl: redirectOnExitUrl },
      expiry,
      await this.keys.signing(),
    );
    return `${this.origins.urlOf(label)}/launch/${token}`;
  }
}
