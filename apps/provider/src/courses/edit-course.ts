import { Database, sql } from '@registrar/persistence';
import { Body, Delete, HttpCode, Param, Put } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { bodyObject } from '../http/parse.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { courseNotFound } from './find-course.ts';

const titleBody = bodyObject({ title: z.string().min(1).max(1000) });

/** Changes the title of a course, and deletes courses. */
@ApiController('courses/:courseId')
export class EditCourse {
  constructor(private readonly database: Database) {}

  @Put('title')
  @HttpCode(204)
  async setTitle(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Body(new SchemaPipe(titleBody)) { title }: z.output<typeof titleBody>,
  ): Promise<void> {
    const changed = await this.database.execute(
      sql`UPDATE courses AS c SET title = ${title}, updated_at = clock_timestamp()
          WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}`,
    );
    if (changed === 0) throw courseNotFound(courseId);
  }

  /** Deletes a course with its versions, files and registrations. */
  @Delete()
  @HttpCode(204)
  async delete(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
  ): Promise<void> {
    const deleted = await this.database.execute(
      sql`DELETE FROM courses AS c WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}`,
    );
    if (deleted === 0) throw courseNotFound(courseId);
  }
}
