import { Body, Delete, HttpCode, Param, Put } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { ApiController } from '../http/api-controller.ts';
import { CurrentApplication } from '../http/basic-auth.guard.ts';
import { bodyObject } from '../http/parse.ts';
import { SchemaPipe } from '../http/schema.pipe.ts';
import { Course } from './course.entity.ts';
import { courseNotFound } from './find-course.ts';

const titleBody = bodyObject({ title: z.string().min(1).max(1000) });

/** Changes the title of a course, and deletes courses. */
@ApiController('courses/:courseId')
export class EditCourse {
  constructor(@InjectRepository(Course) private readonly courses: Repository<Course>) {}

  @Put('title')
  @HttpCode(204)
  async setTitle(
    @CurrentApplication() { id: applicationId }: AuthenticatedApplication,
    @Param('courseId') courseId: string,
    @Body(new SchemaPipe(titleBody)) { title }: z.output<typeof titleBody>,
  ): Promise<void> {
    const { affected } = await this.courses.update(
      { applicationId, courseId },
      { title, updatedAt: () => 'clock_timestamp()' },
    );
    if (affected === 0) throw courseNotFound(courseId);
  }

  /** Deletes a course with its versions, files and registrations. */
  @Delete()
  @HttpCode(204)
  async delete(
    @CurrentApplication() { id: applicationId }: AuthenticatedApplication,
    @Param('courseId') courseId: string,
  ): Promise<void> {
    const { affected } = await this.courses.delete({ applicationId, courseId });
    if (affected === 0) throw courseNotFound(courseId);
  }
}
