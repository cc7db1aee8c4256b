import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import type { Application } from '../applications/application.ts';
import { parse } from '../http/parse.ts';
import { unknownCourse } from './find-course.ts';

const titleBody = z.object({ title: z.string().min(1).max(1000) });

/** What an application may change about a course. */
@Injectable()
export class ChangeCourse {
  constructor(private readonly database: Database) {}

  async setTitle(application: Application, courseId: string, body: unknown): Promise<void> {
    const { title } = parse(titleBody, body);
    const changed = await this.database.query(
      `UPDATE courses SET title = $3, updated_at = clock_timestamp()
       WHERE application_id = $1 AND course_id = $2 RETURNING id`,
      [application.id, courseId, title],
    );
    if (changed.length === 0) throw unknownCourse(courseId);
  }

  /** Removes it with its versions, files and registrations. */
  async delete(application: Application, courseId: string): Promise<void> {
    const deleted = await this.database.query(
      'DELETE FROM courses WHERE application_id = $1 AND course_id = $2 RETURNING id',
      [application.id, courseId],
    );
    if (deleted.length === 0) throw unknownCourse(courseId);
  }
}
