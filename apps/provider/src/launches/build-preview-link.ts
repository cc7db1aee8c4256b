import { Database, empty, sql } from '@registrar/persistence';
import { Body, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { courseOrVersionNotFound } from '../courses/find-course.ts';
import { versionOrNull } from '../courses/version-number.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication, RequiresScope } from '../http/api-access.guard.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { ContentOrigins } from '../origins/content-origins.ts';
import type { CourseStructure } from '../packages/course-structure.ts';
import { LaunchLinkKeys, newestKey, sealedKey } from './launch-link-keys.ts';
import {
  type LaunchLinkRequest,
  launchLinkRequest,
  startActivityOf,
} from './launch-link-request.ts';
import { signLaunch } from './launch-link.ts';

const previewedRow = z.object({
  id: z.number(),
  structure: z.custom<CourseStructure>(),
  newest: sealedKey.nullable(),
});

/** Builds links that open a course version without a registration, each at its own origin: nothing is recorded, whatever `tracking` says. */
@ApiController('courses/:courseId')
export class BuildPreviewLink {
  constructor(
    private readonly database: Database,
    private readonly keys: LaunchLinkKeys,
    @Inject(ContentOrigins) private readonly origins: ContentOrigins,
  ) {}

  /**
   * @throws {NotFoundException} if the application has no such course or version
   * @throws {BadRequestException} if the course has no part with the id in `startSco`
   */
  @Post(['preview', 'versions/:version/preview'])
  @HttpCode(200)
  @RequiresScope('read')
  async build(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', new SchemaPipe(versionOrNull)) version: number | null,
    @Body(new SchemaPipe(launchLinkRequest))
    { expiry, redirectOnExitUrl, startSco, launchAuth, culture, cssUrl }: LaunchLinkRequest,
  ): Promise<{ launchLink: string }> {
    const previewed = await this.find(application, courseId, version);
    const label = randomUUID();
    const token = await signLaunch(
      {
        courseVersion: previewed.id,
        id: randomBytes(16).toString('hex'),
        label,
        tracking: false,
        redirectUrl: redirectOnExitUrl,
        startActivity: startSco === null ? null : startActivityOf(previewed.structure, startSco),
        ...launchAuth,
        culture,
        cssUrl,
      },
      expiry,
      await this.keys.signing(previewed.newest),
    );
    return { launchLink: `${this.origins.urlOf(label)}/launch/${token}` };
  }

  private async find(
    application: AuthenticatedApplication,
    courseId: string,
    version: number | null,
  ) {
    const row = await this.database.maybeOne(
      previewedRow,
      sql`SELECT v.id, v.structure, to_json(k) AS newest
          FROM courses AS c
          JOIN course_versions AS v ON v.course = c.id
          LEFT JOIN (${newestKey}) AS k ON true
          WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
            ${version === null ? empty : sql`AND v.version = ${version}`}
          ORDER BY v.version DESC LIMIT 1`,
    );
    if (row) return row;
    throw courseOrVersionNotFound(courseId, version);
  }
}
