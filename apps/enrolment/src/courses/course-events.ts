import { HandleEvent, type PayloadOf } from '#libs/bus';
import { courseChanged } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CopyCourse } from './copy-course.ts';

/** What the catalog tells of its courses. */
@Controller()
export class CourseEvents {
  constructor(private readonly copyCourse: CopyCourse) {}

  @HandleEvent(courseChanged)
  courseChanged(payload: PayloadOf<typeof courseChanged>): Promise<void> {
    return this.copyCourse.run(payload);
  }
}
