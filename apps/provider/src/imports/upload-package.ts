import { MultipartForm } from '@registrar/bootstrap';
import { Failure } from '@registrar/contracts';
import {
  BadRequestException,
  ConflictException,
  Injectable,
  PayloadTooLargeException,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FastifyRequest } from 'fastify';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Repository } from 'typeorm';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { Course } from '../courses/course.entity.ts';
import { externalId, flag } from '../http/parse.ts';
import { maxUploadBytes } from '../packages/package-limits.ts';
import { courseExistsMessage } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue } from './import-queue.ts';

export const uploadQuery = z.strictObject({
  courseId: externalId,
  mayCreateNewVersion: flag.default(false),
});

/** Receives the upload of a package and queues its import. */
@Injectable()
export class UploadPackage {
  constructor(
    @InjectRepository(Course) private readonly courses: Repository<Course>,
    private readonly jobs: ImportJobs,
    private readonly queue: ImportQueue,
  ) {}

  /** @returns the id of the import job */
  async upload(
    application: AuthenticatedApplication,
    { courseId, mayCreateNewVersion }: z.output<typeof uploadQuery>,
    request: FastifyRequest,
  ): Promise<string> {
    this.queue.assertCapacity();
    const file = await receive(request);
    try {
      if (!mayCreateNewVersion) await this.assertNewCourse(application, courseId);
      const jobId = await this.jobs.create(application, courseId);
      this.queue.add({ application, jobId, courseId, mayCreateNewVersion, file });
      return jobId;
    } catch (error) {
      await remove(file);
      throw error;
    }
  }

  private async assertNewCourse(
    { id: applicationId }: AuthenticatedApplication,
    courseId: string,
  ): Promise<void> {
    if (await this.courses.existsBy({ applicationId, courseId })) {
      throw new ConflictException(courseExistsMessage(courseId));
    }
  }
}

/** Streams the upload into a file in a new directory. */
async function receive({ body, raw }: FastifyRequest): Promise<string> {
  if (!(body instanceof MultipartForm)) {
    throw new BadRequestException('Send the package as multipart/form-data in the field file.');
  }
  const file = join(await mkdtemp(join(tmpdir(), 'registrar-upload-')), 'package.zip');
  try {
    let received = false;
    await body.read({
      // Fields with a value are refused: they would be ignored.
      field: (name, value) => {
        if (value !== '') throw new BadRequestException(`${name}: is not supported`);
      },
      file: async (name, bytes) => {
        if (name !== 'file') throw new BadRequestException('Send one file, named file.');
        await pipeline(bytes, boundUpload, createWriteStream(file));
        received = true;
      },
    });
    if (!received) throw new BadRequestException('The field file is missing.');
    return file;
  } catch (error) {
    // A client reads the response only after it has sent everything: the rest is discarded.
    raw.resume();
    await remove(file);
    throw toClientError(error);
  }
}

/** Passes a file on as long as it is not too large. */
async function* boundUpload(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let received = 0;
  for await (const piece of file) {
    received += piece.length;
    if (received > maxUploadBytes) {
      throw new PayloadTooLargeException(`The package is larger than ${maxUploadBytes} bytes.`);
    }
    yield piece;
  }
}

/** Errors of the file system stay as they are; those of the form are caused by the client. */
function toClientError(error: unknown): unknown {
  const isOfForm = error instanceof Failure && error.code === 'invalid';
  return isOfForm
    ? new BadRequestException(`The upload is not a form with one file: ${error.message}`)
    : error;
}

const remove = (file: string) => rm(dirname(file), { recursive: true, force: true });
