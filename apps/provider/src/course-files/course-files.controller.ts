import { Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { versionOrNull } from '../courses/version-number.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { FindPackage } from './find-package.ts';
import { SendPackage } from './send-package.ts';

const assetQuery = z.strictObject({ relativePath: z.string({ error: 'is missing' }).min(1) });
type AssetQuery = z.output<typeof assetQuery>;

interface FileList {
  readonly files: readonly {
    readonly path: string;
    /** Bytes. */
    readonly size: number;
    readonly modified: string;
  }[];
}

/** The files of packages in the API: of the newest version of a course, or of one that is named. */
@ApiController('courses/:courseId')
export class CourseFilesController {
  constructor(
    private readonly packages: FindPackage,
    private readonly sendPackage: SendPackage,
  ) {}

  @Get(['asset/list', 'versions/:version/asset/list'])
  async list(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', new SchemaPipe(versionOrNull)) version: number | null,
  ): Promise<FileList> {
    const stored = await this.packages.find(application, courseId, version);
    const modified = stored.created_at.toISOString();
    const files = await this.packages.files(stored);
    return { files: files.map(({ path, size }) => ({ path, size, modified })) };
  }

  @Get(['asset', 'versions/:version/asset'])
  async asset(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', new SchemaPipe(versionOrNull)) version: number | null,
    @QueryParameters(new SchemaPipe(assetQuery)) { relativePath }: AssetQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stored = await this.packages.find(application, courseId, version);
    const file = await this.packages.file(stored, relativePath);
    await this.sendPackage.sendFile(application, file, reply);
  }

  @Get(['zip', 'versions/:version/zip'])
  async zip(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', new SchemaPipe(versionOrNull)) version: number | null,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const stored = await this.packages.find(application, courseId, version);
    await this.sendPackage.sendZip(application, stored, reply);
  }
}
