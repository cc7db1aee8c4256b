import { appLogger, type Logger, runOperation } from '#libs/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnModuleInit,
  ServiceUnavailableException,
} from '@nestjs/common';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PackageError } from '../packages/package-error.ts';
import { ImportCourse, type Upload } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';

/** How many imports run at once: each holds a database connection for as long as it takes. */
const concurrency = 2;
/** How many uploads may wait: their files lie on this machine's disk. */
const longest = 16;
/** How often the queue says that it lives, a few times within the silence that jobs allow: ms. */
const pulse = 15_000;

/** Imports the uploads that this process took in, one after another. */
@Injectable()
export class ImportQueue implements OnModuleInit, BeforeApplicationShutdown {
  #waiting: Upload[] = [];
  readonly #running = new Map<Upload, Promise<void>>();
  #isStopping = false;
  #pulse: NodeJS.Timeout | undefined;

  constructor(
    private readonly importCourse: ImportCourse,
    private readonly jobs: ImportJobs,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.#pulse = setInterval(() => void this.keepJobs(), pulse).unref();
  }

  /** @throws {ServiceUnavailableException} when the queue takes no more uploads for now */
  assertOpen(): void {
    if (this.#isStopping || this.#waiting.length >= longest) {
      throw new ServiceUnavailableException('No package can be taken now. Try again later.');
    }
  }

  /** Takes over the upload's folder, and removes it when the import is over. */
  add(upload: Upload): void {
    this.assertOpen();
    this.#waiting.push(upload);
    this.startWaiting();
  }

  /** Finishes the imports that run. Those that wait end here: no other process has their files. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    const stopped = new PackageError('The provider was stopped before the import. Send it again.');
    await Promise.all(waiting.map((upload) => this.settle(upload, Promise.reject(stopped))));
    await Promise.all(this.#running.values());
    clearInterval(this.#pulse);
  }

  private startWaiting(): void {
    while (this.#running.size < concurrency) {
      const upload = this.#waiting.shift();
      if (!upload) return;
      // Not part of the request, whose deadline it may well outlive.
      const operation = { requestId: upload.jobId, deadline: null };
      const work = runOperation(operation, () =>
        this.settle(upload, this.importCourse.run(upload)),
      );
      this.#running.set(
        upload,
        work.finally(() => {
          this.#running.delete(upload);
          this.startWaiting();
        }),
      );
    }
  }

  /** Tells the import's end to its job and the log, and removes the file. */
  private async settle(upload: Upload, outcome: Promise<void>): Promise<void> {
    const { jobId, courseId } = upload;
    try {
      await outcome;
      this.logger.info({ jobId, courseId }, 'course imported');
    } catch (error) {
      const refused = error instanceof PackageError;
      if (refused) this.logger.info({ jobId, courseId, reason: error.message }, 'package refused');
      else this.logger.error({ jobId, courseId, err: error }, 'import failed');
      const message = refused ? error.message : 'The import failed. The log says why.';
      await this.jobs.end(jobId, 'ERROR', message).catch((unsaid: unknown) => {
        this.logger.error({ jobId, err: unsaid }, 'the end of an import could not be stored');
      });
    } finally {
      await rm(dirname(upload.file), { recursive: true, force: true }).catch((error: unknown) => {
        this.logger.error({ jobId, err: error }, 'an upload was left behind');
      });
    }
  }

  private async keepJobs(): Promise<void> {
    const ours = [...this.#waiting, ...this.#running.keys()].map(({ jobId }) => jobId);
    if (ours.length === 0) return;
    await this.jobs.keep(ours).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'imports could not be kept');
    });
  }
}
