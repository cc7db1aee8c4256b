import { packageFindings } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Get, NotFoundException, Param } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { findCourse } from '../courses/find-course.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { heartbeatTimeout } from './import-jobs.ts';

const jobRow = z.object({
  id: z.string(),
  course_id: z.string(),
  status: z.enum(['RUNNING', 'COMPLETE', 'ERROR']),
  message: z.string(),
  findings: packageFindings.nullable(),
});

/** Reads import jobs in the API. */
@ApiController('courses/importJobs/:jobId')
export class FindImportJob {
  constructor(private readonly database: Database) {}

  /**
   * Returns a job, with the course if it is complete and the course has not been deleted since, and with what was found
   * in a package that was refused.
   *
   * @throws {NotFoundException} if the application has no such job
   */
  @Get()
  async find(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('jobId') jobId: string,
  ) {
    const row = z.uuid().safeParse(jobId).success
      ? await this.database.maybeOne(
          jobRow,
          sql`SELECT id, course_id, findings,
                     CASE WHEN interrupted THEN 'ERROR' ELSE status END AS status,
                     CASE WHEN interrupted THEN 'The import was interrupted.' ELSE message END
                       AS message
              FROM (SELECT *, status = 'RUNNING' AND seen_at <= now() - ${heartbeatTimeout}
                                AS interrupted
                    FROM import_jobs) AS job
              WHERE ${ownedBy(application, 'job')} AND id = ${jobId}`,
        )
      : null;
    if (!row) throw new NotFoundException(`No import job has the id '${jobId}'.`);
    const { id, course_id: courseId, status, message, findings } = row;
    const job = { jobId: id, status, message, ...(findings && { findings }) };
    if (status !== 'COMPLETE') return job;
    const shown = { includeCourseMetadata: true, includeRegistrationCount: false };
    const course = (await findCourse(this.database, application, courseId, shown)) ?? undefined;
    const parserWarnings = course?.parserWarnings ?? [];
    const importResult = { webPathToCourse: '', parserWarnings, courseLanguages: [], course };
    return { ...job, importResult };
  }
}
