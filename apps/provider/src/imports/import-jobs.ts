import { Database, raw, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { FindCourse } from '../courses/find-course.ts';

/** A running job without a heartbeat for so long counts as interrupted, and cannot finish. */
const heartbeatTimeout = raw(`interval '1 minute'`);
const retention = raw(`interval '7 days'`);

/** An import job in the API. */
export interface ImportJobRecord {
  readonly jobId: string;
  readonly status: 'RUNNING' | 'COMPLETE' | 'ERROR';
  readonly message: string;
  readonly importResult?: object;
}

const newJobRow = z.object({ id: z.string() });
const jobRow = z.object({
  id: z.string(),
  course_id: z.string(),
  status: z.enum(['RUNNING', 'COMPLETE', 'ERROR']),
  message: z.string(),
});

/** Import jobs. They are stored in the database, so that every replica can report their status. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly database: Database,
    private readonly findCourse: FindCourse,
  ) {}

  /** Creates a running job. */
  async create(application: AuthenticatedApplication, courseId: string): Promise<string> {
    const { id } = await this.database.one(
      newJobRow,
      sql`INSERT INTO import_jobs (application_id, course_id, message)
          VALUES (${application.id}, ${courseId}, 'The package is being imported.')
          RETURNING id`,
    );
    return id;
  }

  /** Deletes jobs that are older than the retention. */
  @PeriodicTask({ name: 'prune import jobs', everyMs: 60 * 60_000, timeoutMs: 30_000 })
  async prune(): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM import_jobs WHERE created_at < now() - ${retention}`,
    );
  }

  /** Records that this process is still working on the jobs. Due more often than every minute. */
  async heartbeat(jobIds: readonly string[]): Promise<void> {
    await this.database.execute(
      sql`UPDATE import_jobs SET seen_at = clock_timestamp()
          WHERE id = ANY(${jobIds}) AND status = 'RUNNING'
            AND seen_at > clock_timestamp() - ${heartbeatTimeout}`,
    );
  }

  /**
   * Finishes a job. With COMPLETE, it must run in the transaction that imports the course.
   *
   * @throws {Error} if the job counts as interrupted
   */
  async finish(jobId: string, status: 'COMPLETE' | 'ERROR', message: string): Promise<void> {
    const finished = await this.database.execute(
      sql`UPDATE import_jobs SET status = ${status}, message = ${message}
          WHERE id = ${jobId} AND status = 'RUNNING'
            AND seen_at > clock_timestamp() - ${heartbeatTimeout}`,
    );
    if (finished === 0) throw new Error(`import job ${jobId} had no heartbeat for too long`);
  }

  /**
   * Returns a job, with the course if it is complete and the course has not been deleted since.
   *
   * @throws {NotFoundException} if the application has no such job
   */
  async find(application: AuthenticatedApplication, jobId: string): Promise<ImportJobRecord> {
    const { id, course_id: courseId, status, message } = await this.findRow(application, jobId);
    const job = { jobId: id, status, message };
    if (status !== 'COMPLETE') return job;
    const course = await this.findCourse
      .find(application, courseId, { includeCourseMetadata: true, includeRegistrationCount: false })
      .catch((error: unknown) => {
        if (error instanceof NotFoundException) return undefined;
        throw error;
      });
    const parserWarnings = course?.parserWarnings ?? [];
    const importResult = { webPathToCourse: '', parserWarnings, courseLanguages: [], course };
    return { ...job, importResult };
  }

  private async findRow(
    application: AuthenticatedApplication,
    jobId: string,
  ): Promise<z.output<typeof jobRow>> {
    const job = z.uuid().safeParse(jobId).success
      ? await this.database.maybeOne(
          jobRow,
          sql`SELECT id, course_id,
                     CASE WHEN interrupted THEN 'ERROR' ELSE status END AS status,
                     CASE WHEN interrupted THEN 'The import was interrupted.' ELSE message END
                       AS message
              FROM (SELECT *, status = 'RUNNING' AND seen_at <= now() - ${heartbeatTimeout}
                                AS interrupted
                    FROM import_jobs) AS job
              WHERE ${ownedBy(application, 'job')} AND id = ${jobId}`,
        )
      : null;
    if (!job) throw new NotFoundException(`No import job has the id '${jobId}'.`);
    return job;
  }
}
