import { Body, HttpCode, Post } from '@nestjs/common';
import { basename } from 'node:path';
import type * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { FetchOrigins } from '../egress/allowed-origins.ts';
import { httpUrl } from '../egress/http-url.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { bodyObject } from '../http/parse.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { BeginImport, type ImportQuery, importQuery } from './begin-import.ts';
import { downloadPackage } from './download-package.ts';
import { contentType, mediaMetadata, mediaOf } from './media-request.ts';
import { UploadSpace } from './upload-space.ts';
import { applicationAsOwner } from './package-owner.ts';

const fetchRequest = bodyObject({
  url: httpUrl,
  contentType,
  mediaFileMetadata: mediaMetadata.optional(),
});
type FetchRequest = z.output<typeof fetchRequest>;

const noUploadRequest = bodyObject({ fetchRequest });

/** Queues imports of packages that the provider fetches. */
@ApiController('courses/importJobs')
export class FetchPackage {
  constructor(
    private readonly beginImport: BeginImport,
    private readonly space: UploadSpace,
    private readonly origins: FetchOrigins,
  ) {}

  /**
   * @returns the id of the import job
   * @throws {BadRequestException} if the operator does not allow the origin of the URL
   */
  @Post()
  @HttpCode(200)
  async fetch(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new SchemaPipe(importQuery)) query: ImportQuery,
    @Body(new SchemaPipe(fetchRequest))
    { url, contentType: type, mediaFileMetadata }: FetchRequest,
  ): Promise<{ result: string }> {
    const media = mediaOf(type, mediaFileMetadata, fileNameOf(url), 'mediaFileMetadata');
    this.origins.assertIncludes(url, 'url');
    const file = await this.space.open(applicationAsOwner(application));
    try {
      return await this.beginImport.begin(application, query, file, media, (stopping) =>
        downloadPackage(url, file, stopping),
      );
    } catch (error) {
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** The same with the request in a field: media files that stay where they are, and content connectors, are refused. */
  @Post('noUpload')
  @HttpCode(200)
  fetchWithoutUpload(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new SchemaPipe(importQuery)) query: ImportQuery,
    @Body(new SchemaPipe(noUploadRequest)) body: z.output<typeof noUploadRequest>,
  ): Promise<{ result: string }> {
    return this.fetch(application, query, body.fetchRequest);
  }
}

/** The name of the file at a URL, as it is shown to people. */
function fileNameOf(url: string): string {
  const name = basename(new URL(url).pathname);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
