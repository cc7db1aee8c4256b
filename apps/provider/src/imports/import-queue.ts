import { Failure } from '@registrar/contracts';
import {
  type Account,
  appLogger,
  FairQueue,
  type FairQueueLimits,
  type Logger,
  PeriodicTask,
  runInRequestContext,
} from '@registrar/platform';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  ServiceUnavailableException,
} from '@nestjs/common';
import { PackageError } from '../packages/package-error.ts';
import { ImportCourse, type Upload } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';

/**
 * Imports that run at the same time: each one holds a database connection and a process until it ends. One is left for
 * another application. What waits is bounded by the space for uploads.
 */
const turnLimits: FairQueueLimits = {
  running: 2,
  runningOfRealm: 'fewer than are free',
  waiting: Infinity,
  waitingOfRealm: Infinity,
  maxWaitMs: Infinity,
};
/** An application gives way while others import. */
const ofApplication: Omit<Account, 'name'> = {
  running: turnLimits.running,
  besideLighter: { others: 'realms', running: 1, rest: 2 },
  waiting: Infinity,
};
/** Interval of the heartbeats of jobs, which time out after a minute. */
const heartbeatIntervalMs = 15_000;

/** Completes the file of an upload. @param stopping aborted when the process stops */
export type Receive = (stopping: AbortSignal) => Promise<void>;

/** Imports the uploads that this process has received. Applications take turns. */
@Injectable()
export class ImportQueue implements BeforeApplicationShutdown {
  readonly #turns = new FairQueue(
    turnLimits,
    () => new Failure('overloaded', 'an import could not begin in time'),
  );
  readonly #waiting = new Set<Upload>();
  /** Imports that wait or run. */
  readonly #imports = new Map<Upload, Promise<void>>();
  readonly #stopping = new AbortController();
  #isStopping = false;

  constructor(
    private readonly importCourse: ImportCourse,
    private readonly jobs: ImportJobs,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /**
   * Adds an upload, and deletes its file when the import has ended.
   *
   * @param receive completes the file, before the import's turn; rejects with {@link PackageError} if it cannot
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
    const { id: realmId } = upload.application;
    const accounts = [{ name: `application ${realmId}`, ...ofApplication }];
    const owner = { realmId, key: 'imports', accounts };
    return this.#turns.run(owner, () => this.begin(upload), false);
  }

  /** Finishes the running imports. Waiting ones fail, because only this process has their files. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.abort();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    const stopped = new PackageError('The provider stopped before the import. Upload it again.');
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
