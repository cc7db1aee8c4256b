import { Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/basic-auth.guard.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { ImportJobs } from './import-jobs.ts';
import { UploadPackage, uploadQuery } from './upload-package.ts';

/** Uploads of packages, and their import jobs, in the API. */
@ApiController('courses/importJobs')
export class ImportsController {
  constructor(
    private readonly uploadPackage: UploadPackage,
    private readonly importJobs: ImportJobs,
  ) {}

  @Post('upload')
  @HttpCode(200)
  async upload(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new SchemaPipe(uploadQuery)) query: z.output<typeof uploadQuery>,
    @Req() request: FastifyRequest,
  ) {
    return { result: await this.uploadPackage.upload(application, query, request) };
  }

  @Get(':jobId')
  findJob(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('jobId') jobId: string,
  ) {
    return this.importJobs.find(application, jobId);
  }
}
