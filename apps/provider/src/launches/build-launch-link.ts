import { Database, sql } from '@registrar/persistence';
import { Body, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { isStillAccepted, ownedBy, type RememberedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication, RequiresScope } from '../http/api-access.guard.ts';
import { ApplicationChanged, RecallsApplication } from '../http/recall-application.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { ContentOrigins } from '../origins/content-origins.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import { registrationNotFound } from '../registrations/load-registration.ts';
import { LaunchLinkKeys, newestKey, sealedKey } from './launch-link-keys.ts';
import {
  type LaunchLinkRequest,
  launchLinkRequest,
  startActivityOf,
} from './launch-link-request.ts';
import { signLaunch } from './launch-link.ts';

const launchableRow = z.object({
  id: z.number().nullable(),
  generation: z.number().nullable(),
  label: z.string().nullable(),
  newest: sealedKey.nullable(),
});

const structureRow = z.object({ structure: z.custom<CourseStructure>() });

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
   * @throws {BadRequestException} if its course has no part with the id in `startSco`
   */
  @Post()
  @HttpCode(200)
  @RequiresScope('read')
  @RecallsApplication()
  async build(
    @CurrentApplication() application: RememberedApplication,
    @Param('id') registrationId: string,
    @Body(new SchemaPipe(launchLinkRequest))
    {
      expiry,
      redirectOnExitUrl,
      tracking,
      startSco,
      launchAuth,
      culture,
      cssUrl,
    }: LaunchLinkRequest,
  ): Promise<{ launchLink: string }> {
    const { newest, ...launched } = await this.find(application, registrationId);
    const startActivity =
      startSco === null
        ? null
        : startActivityOf(await this.structureOf(application, launched.registration), startSco);
    const id = randomBytes(16).toString('hex');
    const token = await signLaunch(
      {
        ...launched,
        ...launchAuth,
        id,
        tracking,
        redirectUrl: redirectOnExitUrl,
        startActivity,
        culture,
        cssUrl,
      },
      expiry,
      await this.keys.signing(newest),
    );
    return { launchLink: `${this.origins.urlOf(launched.label)}/launch/${token}` };
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

  private async structureOf(
    application: RememberedApplication,
    registration: number,
  ): Promise<CourseStructure> {
    const { structure } = await this.database.one(
      structureRow,
      sql`SELECT v.structure FROM registrations AS r
          JOIN course_versions AS v ON v.id = r.course_version
          WHERE ${ownedBy(application, 'r')} AND r.id = ${registration}`,
    );
    return structure;
  }
}
