import { Database } from '#libs/persistence';
import { Injectable, NotFoundException } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';

/** How long an import may take. One that took longer was interrupted and changes nothing. */
const importTime = `interval '15 minutes'`;
const keptFor = `interval '7 days'`;

export interface ImportJob {
  readonly jobId: string;
  readonly courseId: string;
  readonly status: 'RUNNING' | 'COMPLETE' | 'ERROR';
  readonly message: string;
}

/** The state of imports, in the database: any replica can tell it. */
@Injectable()
export class ImportJobs {
  constructor(private readonly database: Database) {}

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

  /**
   * Ends a job. With COMPLETE it belongs into the transaction that imports the course.
   *
   * @throws when the job's time is over
   */
  async end(jobId: string, status: 'COMPLETE' | 'ERROR', message: string): Promise<void> {
    const ended = await this.database.query(
      `UPDATE import_jobs SET status = $2, message = $3
       WHERE id = $1 AND created_at > clock_timestamp() - ${importTime} RETURNING id`,
      [jobId, status, message],
    );
    if (ended.length === 0) throw new Error('the import took too long');
  }

  async find(application: Application, jobId: string): Promise<ImportJob> {
    const known = z.uuid().safeParse(jobId).success;
    const [job] = known
      ? await this.database.query<ImportJob>(
          `SELECT id AS "jobId", course_id AS "courseId",
                  CASE WHEN interrupted THEN 'ERROR' ELSE status END AS status,
                  CASE WHEN interrupted THEN 'The import was interrupted.' ELSE message END AS message
           FROM (SELECT *, status = 'RUNNING' AND created_at < now() - ${importTime} AS interrupted
                 FROM import_jobs) job
           WHERE application_id = $1 AND id = $2`,
          [application.id, jobId],
        )
      : [];
    if (!job) throw new NotFoundException(`No import job has the id '${jobId}'.`);
    return job;
  }
}
