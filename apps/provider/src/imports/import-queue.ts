import { appLogger, type Logger, PeriodicTask, runInRequestContext } from '@registrar/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  ServiceUnavailableException,
} from '@nestjs/common';
import { ImportError, PackageError } from '../packages/package-error.ts';
import { ImportCourse, type Upload } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportTurns } from './import-turns.ts';
import { applicationAsOwner } from './package-owner.ts';

/** Interval of the heartbeats of jobs, which time out after a minute. */
const heartbeatIntervalMs = 15_000;

/** Completes the file of an upload. @param stopping aborted when the process stops */
export type Receive = (stopping: AbortSignal) => Promise<void>;

/** Imports the uploads that this process has received. Applications take turns. */
@Injectable()
export class ImportQueue implements BeforeApplicationShutdown {
  readonly #waiting = new Set<Upload>();
  /** Imports that wait or run. */
  readonly #imports = new Map<Upload, Promise<void>>();
  readonly #stopping = new AbortController();
  #isStopping = false;

  constructor(
    private readonly importCourse: ImportCourse,
    private readonly jobs: ImportJobs,
    private readonly turns: ImportTurns,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /**
   * Adds an upload, and deletes its file when the import has ended.
   *
   * @param receive completes the file, before the import's turn; rejects with {@link ImportError} if it cannot
   * @throws {ServiceUnavailableException} if the process is stopping
   */
  add(upload: Upload, receive: Receive = () => Promise.resolve()): void {
    if (this.#isStopping) {
      throw new ServiceUnavailableException('The provider is stopping. Try again later.');
    }
    this.#waiting.add(upload);
    // An import has no deadline: it may take longer than the request that uploaded the package.
    const context = { requestId: upload.jobId, deadline: null };
    const ended = runInRequestContext(context, async () => {
      const received = receive(this.#stopping.signal);
      try {
        await received;
      } catch {
        if (this.#waiting.delete(upload)) await this.settle(upload, received);
        return;
      }
      await this.importInTurn(upload);
    }).finally(() => this.#imports.delete(upload));
    this.#imports.set(upload, ended);
  }

  private importInTurn(upload: Upload): Promise<void> {
    return this.turns.run(applicationAsOwner(upload.application), () => this.begin(upload));
  }

  /** Finishes the running imports. Waiting ones fail, because only this process has their files. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.abort();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    const stopped = new ImportError('The provider stopped before the import. Upload it again.');
    await Promise.all(waiting.map((upload) => this.settle(upload, Promise.reject(stopped))));
    // The shutdown stops periodic tasks, but running imports still need heartbeats.
    const heartbeat = setInterval(() => void this.sendHeartbeat(), heartbeatIntervalMs);
    await Promise.all(this.#imports.values());
    clearInterval(heartbeat);
  }

  private async begin(upload: Upload): Promise<void> {
    // The shutdown has ended it before its turn.
    if (!this.#waiting.delete(upload)) return;
    await this.settle(upload, this.importCourse.import(upload));
  }

  /** Waits for an import, records its outcome and deletes the uploaded file. */
  private async settle({ jobId, courseId, file }: Upload, outcome: Promise<void>): Promise<void> {
    try {
      await outcome;
      this.logger.info({ jobId, courseId }, 'course imported');
    } catch (error) {
      const isRejected = error instanceof ImportError;
      if (isRejected) {
        this.logger.info({ jobId, courseId, reason: error.message }, 'package rejected');
      } else {
        this.logger.error({ jobId, courseId, err: error }, 'import failed');
      }
      const message = isRejected ? error.message : 'The import failed. The provider logged why.';
      const findings = error instanceof PackageError ? error.findings : null;
      await this.jobs.finish(jobId, 'ERROR', message, findings).catch((failure: unknown) => {
        this.logger.error({ jobId, err: failure }, 'outcome of the import could not be stored');
      });
    } finally {
      await file[Symbol.asyncDispose]().catch((error: unknown) => {
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
    const jobIds = [...this.#imports.keys()].map(({ jobId }) => jobId);
    if (jobIds.length === 0) return;
    await this.jobs.heartbeat(jobIds).catch((error: unknown) => {
      this.logger.warn({ err: error }, 'heartbeat of import jobs failed');
    });
  }
}
