import { MultipartForm } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import { BadRequestException, HttpCode, PayloadTooLargeException, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { QueryParameters } from '../http/query-parameters.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { maxUploadBytes } from '../packages/package-limits.ts';
import { BeginImport, type ImportQuery, importQuery } from './begin-import.ts';
import { mediaOfUpload } from './media-request.ts';
import { type UploadedFile, UploadSpace } from './upload-space.ts';
import { applicationAsOwner } from './package-owner.ts';

/** Receives the upload of a package, or of a media file, and queues its import. */
@ApiController('courses/importJobs/upload')
export class UploadPackage {
  constructor(
    private readonly beginImport: BeginImport,
    private readonly space: UploadSpace,
  ) {}

  /** @returns the id of the import job */
  @Post()
  @HttpCode(200)
  async upload(
    @CurrentApplication() application: AuthenticatedApplication,
    @QueryParameters(new SchemaPipe(importQuery)) query: ImportQuery,
    @Req() { body, headers, raw }: FastifyRequest,
  ): Promise<{ result: string }> {
    if (!(body instanceof MultipartForm)) {
      throw new BadRequestException('Send the package as multipart/form-data in the field file.');
    }
    const file = await this.space.open(applicationAsOwner(application));
    try {
      const { fileName, contentMetadata } = await readForm(body, file);
      const media = mediaOfUpload(headers['uploadedcontenttype'], contentMetadata, fileName);
      return await this.beginImport.begin(application, query, file, media);
    } catch (error) {
      // A client reads the response only after it has sent everything: the rest is discarded.
      raw.resume();
      await file[Symbol.asyncDispose]();
      throw error;
    }
  }
}

interface UploadForm {
  readonly fileName: string;
  readonly contentMetadata: string | undefined;
}

/** Streams the upload into a file. */
async function readForm(form: MultipartForm, file: UploadedFile): Promise<UploadForm> {
  let fileName: string | undefined;
  let contentMetadata: string | undefined;
  const reading = form.read({
    // Fields with a value are refused: they would be ignored.
    field: (name, value) => {
      if (name === 'contentMetadata' && value !== '') contentMetadata = value;
      else if (value !== '') throw new BadRequestException(`${name}: is not supported`);
    },
    file: async (name, content, called) => {
      if (name !== 'file') throw new BadRequestException('Send one file, named file.');
      for await (const bytes of content as AsyncIterable<Buffer>) {
        if (file.size + bytes.length > maxUploadBytes) {
          throw new PayloadTooLargeException(`The package is larger than ${maxUploadBytes} bytes.`);
        }
        await file.write(bytes);
      }
      fileName = called;
    },
  });
  await reading.catch((error: unknown) => {
    throw toClientError(error);
  });
  if (fileName === undefined) throw new BadRequestException('The field file is missing.');
  return { fileName, contentMetadata };
}

/** Errors of the file system stay as they are; those of the form are caused by the client. */
function toClientError(error: unknown): unknown {
  const isOfForm = error instanceof Failure && error.code === 'invalid';
  return isOfForm
    ? new BadRequestException(`The upload is not a form with one file: ${error.message}`)
    : error;
}
