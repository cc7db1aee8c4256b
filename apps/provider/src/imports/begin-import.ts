import { Database, sql } from '@registrar/persistence';
import { ConflictException, Injectable } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { externalId, flag } from '../http/parse.ts';
import type { Media } from '../packages/media-file.ts';
import { courseExistsMessage } from './import-course.ts';
import { ImportJobs } from './import-jobs.ts';
import { ImportQueue, type Receive } from './import-queue.ts';
import type { UploadedFile } from './upload-space.ts';

/** The parameters of every import. */
export const importQuery = z.strictObject({
  courseId: externalId,
  mayCreateNewVersion: flag.default(false),
});
export type ImportQuery = z.output<typeof importQuery>;

/** Creates import jobs and queues the imports. */
@Injectable()
export class BeginImport {
  constructor(
    private readonly database: Database,
    private readonly jobs: ImportJobs,
    private readonly queue: ImportQueue,
  ) {}

  /**
   * @param media what the file is; null for a package
   * @param receive completes the file; without it, the file is complete
   * @returns the id of the import job
   * @throws {ConflictException} if the course exists and the import may not create a version
   */
  async begin(
    application: AuthenticatedApplication,
    { courseId, mayCreateNewVersion }: ImportQuery,
    file: UploadedFile,
    media: Media | null,
    receive?: Receive,
  ): Promise<{ result: string }> {
    if (!mayCreateNewVersion) await this.assertNewCourse(application, courseId);
    const jobId = await this.jobs.create(application, courseId);
    this.queue.add({ application, jobId, courseId, mayCreateNewVersion, file, media }, receive);
    return { result: jobId };
  }

  private async assertNewCourse(
    application: AuthenticatedApplication,
    courseId: string,
  ): Promise<void> {
    const existing = await this.database.execute(
      sql`SELECT FROM courses AS c WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}`,
    );
    if (existing > 0) throw new ConflictException(courseExistsMessage(courseId));
  }
}
