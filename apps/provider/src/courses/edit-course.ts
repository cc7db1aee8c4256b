import { Database, sql } from '@registrar/persistence';
import { Body, Delete, HttpCode, Param, Put } from '@nestjs/common';
import * as z from 'zod';
import { type AuthenticatedApplication, ownedBy } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/api-access.guard.ts';
import { bodyObject } from '../http/parse.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { courseNotFound, versionNotFound } from './find-course.ts';
import { versionNumber } from './version-number.ts';

const titleBody = bodyObject({ title: z.string().min(1).max(1000) });

/** Changes the title of a course, and deletes courses and versions. */
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

  /** Deletes a version with its files and registrations, and with the last version the course. */
  @Delete('versions/:version')
  @HttpCode(204)
  async deleteVersion(
    @CurrentApplication() application: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Param('version', new SchemaPipe(versionNumber)) version: number,
  ): Promise<void> {
    await this.database.transaction(async () => {
      // Imports of versions wait for it.
      await this.database.execute(
        sql`SELECT FROM courses AS c
            WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId} FOR UPDATE`,
      );
      const deleted = await this.database.execute(
        sql`DELETE FROM course_versions AS v USING courses AS c
            WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
              AND v.course = c.id AND v.version = ${version}`,
      );
      if (deleted === 0) throw versionNotFound(courseId, version);
      await this.database.execute(
        sql`DELETE FROM courses AS c
            WHERE ${ownedBy(application, 'c')} AND c.course_id = ${courseId}
              AND NOT EXISTS (SELECT FROM course_versions AS v WHERE v.course = c.id)`,
      );
    });
  }
}
