import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import * as z from 'zod';
import type { AuthenticatedApplication } from '../access-rules.ts';
import { bodyObject } from '../http/parse.ts';
import { Course } from './course.entity.ts';
import { courseNotFound } from './find-course.ts';

export const titleBody = bodyObject({ title: z.string().min(1).max(1000) });

/** Changes the title of a course, and deletes courses. */
@Injectable()
export class EditCourse {
  constructor(@InjectRepository(Course) private readonly courses: Repository<Course>) {}

  async setTitle(
    { id: applicationId }: AuthenticatedApplication,
    courseId: string,
    title: string,
  ): Promise<void> {
    const { affected } = await this.courses.update(
      { applicationId, courseId },
      { title, updatedAt: () => 'clock_timestamp()' },
    );
    if (affected === 0) throw courseNotFound(courseId);
  }

  /** Deletes a course with its versions, files and registrations. */
  async delete({ id: applicationId }: AuthenticatedApplication, courseId: string): Promise<void> {
    const { affected } = await this.courses.delete({ applicationId, courseId });
    if (affected === 0) throw courseNotFound(courseId);
  }
}
