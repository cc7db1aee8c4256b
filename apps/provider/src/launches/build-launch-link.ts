import { Database, sql } from '@registrar/persistence';
import { Body, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { isStillAccepted, ownedBy, type RememberedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication, RequiresScope } from '../http/api-access.guard.ts';
import { bodyObject } from '../http/parse.ts';
import { ApplicationChanged, RecallsApplication } from '../http/recall-application.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { ContentOrigins } from '../origins/content-origins.ts';
import { registrationNotFound } from '../registrations/load-registration.ts';
import { LaunchLinkKeys, newestKey, sealedKey } from './launch-link-keys.ts';
import { maxExpirySeconds, signLaunch } from './launch-link.ts';

/** SCORM Cloud's values for no URL, after which the player shows a page of its own. */
const noRedirectUrl = z.enum(['', 'message', 'closer']).transform(() => null);

const launchLinkBody = bodyObject({
  expiry: z.int().min(1).max(maxExpirySeconds).default(120),
  redirectOnExitUrl: z
    .union([noRedirectUrl, z.url({ protocol: /^https?$/ }).max(2048)], {
      error: 'not an http or https address',
    })
    .default(null),
  tracking: z.boolean().default(true),
});

const launchableRow = z.object({
  id: z.number().nullable(),
  generation: z.number().nullable(),
  label: z.string().nullable(),
  newest: sealedKey.nullable(),
});

/** Builds links that open the course of a registration without a login, at the origin of the registration. */
@ApiController('registrations/:id/launchLink')
export class BuildLaunchLink {
  constructor(
    private readonly database: Database,
    private readonly keys: LaunchLinkKeys,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  /**
   * @throws {ApplicationChanged} if the application no longer accepts the credentials
   * @throws {NotFoundException} if the application has no such registration
   */
  @Post()
  @HttpCode(200)
  @RequiresScope('read')
  @RecallsApplication()
  async build(
    @CurrentApplication() application: RememberedApplication,
    @Param('id') registrationId: string,
    @Body(new SchemaPipe(launchLinkBody))
    { expiry, redirectOnExitUrl, tracking }: z.output<typeof launchLinkBody>,
  ): Promise<{ launchLink: string }> {
    const { newest, ...registration } = await this.find(application, registrationId);
    const id = randomBytes(16).toString('hex');
    const token = await signLaunch(
      { ...registration, id, tracking, redirectUrl: redirectOnExitUrl },
      expiry,
      await this.keys.signing(newest),
    );
    return { launchLink: `${this.origins.urlOf(registration.label)}/launch/${token}` };
  }

  private async find(application: RememberedApplication, registrationId: string) {
    const row = await this.database.maybeOne(
      launchableRow,
      sql`SELECT r.id, r.launch_generation AS generation, r.origin_label AS label, to_json(k) AS newest
          FROM applications AS a
          LEFT JOIN registrations AS r
            ON ${ownedBy(application, 'r')} AND r.registration_id = ${registrationId}
          LEFT JOIN (${newestKey}) AS k ON true
          WHERE ${isStillAccepted(application)}`,
    );
    if (!row) throw new ApplicationChanged();
    const { id: registration, generation, label, newest } = row;
    if (registration === null || generation === null || label === null) {
      throw registrationNotFound(registrationId);
    }
    return { registration, generation, label, newest };
  }
}
