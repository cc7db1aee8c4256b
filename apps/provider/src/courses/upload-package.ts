import { Database } from '#libs/persistence';
import '@fastify/multipart';
import {
  BadRequestException,
  HttpException,
  Injectable,
  PayloadTooLargeException,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import { flag, givenId, parse } from '../http/parse.ts';
import { uploadBytes } from '../packages/package-limits.ts';
import { courseExists } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue } from './import-queue.ts';

const uploadQuery = z.object({ courseId: givenId, mayCreateNewVersion: flag.default(false) });

/** Takes a package in and has it imported. */
@Injectable()
export class UploadPackage {
  constructor(
    private readonly database: Database,
    private readonly jobs: ImportJobs,
    private readonly queue: ImportQueue,
  ) {}

  /** @returns the id of the import job */
  async run(application: Application, request: FastifyRequest): Promise<string> {
    const { courseId, mayCreateNewVersion } = parse(uploadQuery, request.query);
    this.queue.assertOpen();
    const file = await receive(request);
    try {
      if (!mayCreateNewVersion && (await this.exists(application, courseId))) {
        throw new BadRequestException(courseExists(courseId));
      }
      const jobId = await this.jobs.begin(application, courseId);
      this.queue.add({ application, jobId, courseId, mayCreateNewVersion, file });
      return jobId;
    } catch (error) {
      await remove(file);
      throw error;
    }
  }

  private async exists(application: Application, courseId: string): Promise<boolean> {
    const found = await this.database.query(
      'SELECT 1 FROM courses WHERE application_id = $1 AND course_id = $2',
      [application.id, courseId],
    );
    return found.length > 0;
  }
}

/** A form has the file, and perhaps a few words about it. */
const formLimits = { files: 1, fileSize: uploadBytes, fields: 10, fieldSize: 65_536, parts: 11 };

/** Streams the upload into a file in a folder of its own. */
async function receive(request: FastifyRequest): Promise<string> {
  if (!request.isMultipart()) {
    throw new BadRequestException('Send the package as multipart/form-data in the field file.');
  }
  const file = join(await mkdtemp(join(tmpdir(), 'registrar-upload-')), 'package.zip');
  try {
    let received = false;
    for await (const part of request.parts({ limits: formLimits })) {
      if (part.type !== 'file') continue;
      if (part.fieldname !== 'file') throw new BadRequestException('Send one file, named file.');
      await pipeline(part.file, createWriteStream(file));
      received = true;
    }
    if (!received) throw new BadRequestException('The field file is missing.');
    return file;
  } catch (error) {
    // The client reads the answer when it has sent all: the rest is taken in and dropped.
    request.raw.unpipe().resume();
    await remove(file);
    throw uploadFault(error);
  }
}

/** Files of ours that fail tell a system call; all else is in what the client has sent. */
function uploadFault(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof HttpException || syscall !== undefined) return error;
  return code === 'FST_REQ_FILE_TOO_LARGE'
    ? tooLarge()
    : new BadRequestException(`The upload is not a form with one file: ${message}`);
}

const tooLarge = () =>
  new PayloadTooLargeException(`The package is larger than ${uploadBytes} bytes.`);

const remove = (file: string) => rm(dirname(file), { recursive: true, force: true });
