import { appLogger, type Logger, PeriodicTask, runInRequestContext } from '@registrar/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  ServiceUnavailableException,
} from '@nestjs/common';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PackageError } from '../packages/package-error.ts';
import { ImportCourse, type Upload } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';

/** Imports that run at the same time. Each one holds a database connection until it ends. */
const maxRunning = 2;
/** Uploads that wait. Their files are on this machine's disk. */
const maxWaiting = 16;
/** Interval of the heartbeats of jobs, which time out after a minute. */
const heartbeatIntervalMs = 15_000;

/** Imports the uploads that this process has received. */
@Injectable()
export class ImportQueue implements BeforeApplicationShutdown {
  #waiting: Upload[] = [];
  readonly #running = new Map<Upload, Promise<void>>();
  #isStopping = false;

  constructor(
    private readonly importCourse: ImportCourse,
    private readonly jobs: ImportJobs,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** @throws {ServiceUnavailableException} if the queue is full or the process is stopping */
  assertCapacity(): void {
    if (this.#isStopping || this.#waiting.length >= maxWaiting) {
      throw new ServiceUnavailableException('The import queue is full. Try again later.');
    }
  }

  /** Adds an upload, and deletes its directory when the import has ended. */
  add(upload: Upload): void {
    this.assertCapacity();
    this.#waiting.push(upload);
    this.startWaiting();
  }

  /** Finishes the running imports. Waiting ones fail, because only this process has their files. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    const stopped = new PackageError('The provider stopped before the import. Upload it again.');
    await Promise.all(waiting.map((upload) => this.settle(upload, Promise.reject(stopped))));
    // The shutdown stops periodic tasks, but running imports still need heartbeats.
    const heartbeat = setInterval(() => void this.sendHeartbeat(), heartbeatIntervalMs);
    await Promise.all(this.#running.values());
    clearInterval(heartbeat);
  }

  private startWaiting(): void {
    while (this.#running.size < maxRunning) {
      const upload = this.#waiting.shift();
      if (!upload) return;
      // An import has no deadline: it may take longer than the request that uploaded the package.
      const context = { requestId: upload.jobId, deadline: null };
      const work = runInRequestContext(context, () =>
        this.settle(upload, this.importCourse.import(upload)),
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

  /** Waits for an import, records its outcome and deletes the uploaded file. */
  private async settle(upload: Upload, outcome: Promise<void>): Promise<void> {
    const { jobId, courseId } = upload;
    try {
      await outcome;
      this.logger.info({ jobId, courseId }, 'course imported');
    } catch (error) {
      const isRejected = error instanceof PackageError;
      if (isRejected) {
        this.logger.info({ jobId, courseId, reason: error.message }, 'package rejected');
      } else {
        this.logger.error({ jobId, courseId, err: error }, 'import failed');
      }
      const message = isRejected ? error.message : 'The import failed. The provider logged why.';
      await this.jobs.finish(jobId, 'ERROR', message).catch((failure: unknown) => {
        this.logger.error({ jobId, err: failure }, 'outcome of the import could not be stored');
      });
    } finally {
      await rm(dirname(upload.file), { recursive: true, force: true }).catch((error: unknown) => {
        this.logger.error({ jobId, err: error }, 'uploaded file could not be deleted');
      });
    }
  }

  /** Records that this process is still working on its jobs. */
  @PeriodicTask({
    name: 'heartbeat of import jobs',
    everyMs: heartbeatIntervalMs,
    timeoutMs: heartbeatIntervalMs,
  })
  async sendHeartbeat(): Promise<void> {
    const jobIds = [...this.#waiting, ...this.#running.keys()].map(({ jobId }) => jobId);
    if (jobIds.length === 0) return;
    await this.jobs.heartbeat(jobIds).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'heartbeat of import jobs failed');
    });
  }
}
