import { Inject, Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import { parse } from '../http/parse.ts';
import { PublicAddress } from '../public-address.ts';
import { FindRegistration } from '../registrations/find-registration.ts';
import { signLaunch } from './launch-link.ts';
import { SigningKey } from './signing-key.ts';

const longestExpiry = 7 * 86_400;

/** Words of the hosted provider for no address: a page that says that the course is over. */
const noAddress = z.enum(['message', 'closer']).transform(() => null);

const launchBody = z.object({
  expiry: z.int().min(1).max(longestExpiry).default(120),
  redirectOnExitUrl: z
    .union([noAddress, z.url({ protocol: /^https?$/ }).max(2048)], {
      error: 'not an http or https address',
    })
    .nullish()
    .transform((url) => url ?? null),
  tracking: z.boolean().default(true),
});

/** Makes links that open a registration's course without a login. */
@Injectable()
export class BuildLaunchLink {
  constructor(
    private readonly findRegistration: FindRegistration,
    private readonly signingKey: SigningKey,
    @Inject(PublicAddress) private readonly address: PublicAddress,
  ) {}

  async run(application: Application, registrationId: string, body: unknown): Promise<string> {
    const { expiry, redirectOnExitUrl, tracking } = parse(launchBody, body);
    const registration = await this.findRegistration.row(application, registrationId);
    const token = await signLaunch(
      { registration: registration.id, tracking, redirectUrl: redirectOnExitUrl },
      expiry,
      await this.signingKey.get(),
    );
    return `${this.address.url}/launch/${token}`;
  }
}
