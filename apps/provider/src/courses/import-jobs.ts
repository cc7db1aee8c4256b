import { Database } from '#libs/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import { FindCourse } from './find-course.ts';

/** A job of which its process said nothing for so long was interrupted, and changes nothing. */
const silence = `interval '1 minute'`;
const keptFor = `interval '7 days'`;

/** An import as the API tells it. */
export interface ImportJobRecord {
  readonly jobId: string;
  readonly status: ImportJob['status'];
  readonly message: string;
  readonly importResult?: object;
}

interface ImportJob {
  readonly id: string;
  readonly course_id: string;
  readonly status: 'RUNNING' | 'COMPLETE' | 'ERROR';
  readonly message: string;
}

/** The state of imports, in the database: any replica can tell it. */
@Injectable()
export class ImportJobs {
  constructor(
    private readonly database: Database,
    private readonly findCourse: FindCourse,
  ) {}

  async begin(application: Application, courseId: string): Promise<string> {
    await this.database.query(`DELETE FROM import_jobs WHERE created_at < now() - ${keptFor}`);
    const [job] = await this.database.query<{ id: string }>(
      `INSERT INTO import_jobs (application_id, course_id, message)
       VALUES ($1, $2, 'The package is being imported.') RETURNING id`,
      [application.id, courseId],
    );
    if (!job) throw new Error('INSERT … RETURNING answered no row');
    return job.id;
  }

  /** Tells that these jobs are still worked on: to be said more often than every minute. */
  async keep(jobIds: readonly string[]): Promise<void> {
    await this.database.query(
      `UPDATE import_jobs SET seen_at = clock_timestamp()
       WHERE id = ANY($1) AND status = 'RUNNING' AND seen_at > clock_timestamp() - ${silence}`,
      [jobIds],
    );
  }

  /**
   * Ends a job. With COMPLETE it belongs into the transaction that imports the course.
   *
   * @throws when the job counts as interrupted
   */
  async end(jobId: string, status: 'COMPLETE' | 'ERROR', message: string): Promise<void> {
    const ended = await this.database.query(
      `UPDATE import_jobs SET status = $2, message = $3
       WHERE id = $1 AND status = 'RUNNING' AND seen_at > clock_timestamp() - ${silence}
       RETURNING id`,
      [jobId, status, message],
    );
    if (ended.length === 0) throw new Error('the import was silent for too long');
  }

  /** With COMPLETE, also what the course is now; it may have been deleted since. */
  async find(application: Application, jobId: string): Promise<ImportJobRecord> {
    const { id, course_id: courseId, status, message } = await this.row(application, jobId);
    const job = { jobId: id, status, message };
    if (status !== 'COMPLETE') return job;
    const course = await this.findCourse
      .newest(application, courseId, { includeCourseMetadata: 'true' })
      .catch((error: unknown) => {
        if (error instanceof NotFoundException) return undefined;
        throw error;
      });
    const importResult = { webPathToCourse: '', parserWarnings: [], courseLanguages: [], course };
    return { ...job, importResult };
  }

  private async row(application: Application, jobId: string): Promise<ImportJob> {
    const known = z.uuid().safeParse(jobId).success;
    const [job] = known
      ? await this.database.query<ImportJob>(
          `SELECT id, course_id,
                  CASE WHEN interrupted THEN 'ERROR' ELSE status END AS status,
                  CASE WHEN interrupted THEN 'The import was interrupted.' ELSE message END AS message
           FROM (SELECT *, status = 'RUNNING' AND seen_at <= now() - ${silence} AS interrupted
                 FROM import_jobs) job
           WHERE application_id = $1 AND id = $2`,
          [application.id, jobId],
        )
      : [];
    if (!job) throw new NotFoundException(`No import job has the id '${jobId}'.`);
    return job;
  }
}
