import { appLogger, type Logger, runOperation } from '#libs/platform';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PackageError } from '../packages/package-error.ts';
import { ImportCourse, type Upload } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';

/** How many imports run at once: each holds a database connection for as long as it takes. */
const concurrency = 2;

/** Imports uploads one after another, and finishes what it has before the app stops. */
@Injectable()
export class ImportQueue implements BeforeApplicationShutdown {
  readonly #lanes: Promise<void>[] = Array.from({ length: concurrency }, () => Promise.resolve());
  #next = 0;

  constructor(
    private readonly importCourse: ImportCourse,
    private readonly jobs: ImportJobs,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Takes over the upload's folder, and removes it when the import is over. */
  add(upload: Upload): void {
    const lane = this.#next;
    this.#next = (lane + 1) % concurrency;
    // Not part of the request, whose deadline it may well outlive.
    const operation = { requestId: upload.jobId, deadline: null };
    const before = this.#lanes[lane] ?? Promise.resolve();
    this.#lanes[lane] = before.then(() => runOperation(operation, () => this.import(upload)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#lanes);
  }

  private async import(upload: Upload): Promise<void> {
    const { jobId, courseId } = upload;
    try {
      await this.importCourse.run(upload);
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
      await rm(dirname(upload.file), { recursive: true, force: true });
    }
  }
}
