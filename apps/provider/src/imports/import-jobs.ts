import type { PackageFinding } from '@registrar/contracts';
import { Database, raw, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';

/** A running job without a heartbeat for so long counts as interrupted, and cannot finish. */
export const heartbeatTimeout = raw(`interval '1 minute'`);
const retention = raw(`interval '7 days'`);

const newJobRow = z.object({ id: z.string() });

/** Import jobs. They are stored in the database, so that every replica can report their status. */
@Injectable()
export class ImportJobs {
  constructor(private readonly database: Database) {}

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
   * @param findings of a package that is refused
   * @throws {Error} if the job counts as interrupted
   */
  async finish(
    jobId: string,
    status: 'COMPLETE' | 'ERROR',
    message: string,
    findings: readonly PackageFinding[] | null = null,
  ): Promise<void> {
    const finished = await this.database.execute(
      sql`UPDATE import_jobs
          SET status = ${status}, message = ${message},
              findings = ${findings && JSON.stringify(findings)}::jsonb
          WHERE id = ${jobId} AND status = 'RUNNING'
            AND seen_at > clock_timestamp() - ${heartbeatTimeout}`,
    );
    if (finished === 0) throw new Error(`import job ${jobId} had no heartbeat for too long`);
  }
}
