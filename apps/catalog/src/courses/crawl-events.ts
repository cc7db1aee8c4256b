import { HandleEvent, type PayloadOf } from '#libs/bus';
import { coursesCrawled, coursesSwept } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { KeepCourses } from './keep-courses.ts';
import { SweepCourses } from './sweep-courses.ts';

/** What the crawler tells of courses. */
@Controller()
export class CrawlEvents {
  constructor(
    private readonly keepCourses: KeepCourses,
    private readonly sweepCourses: SweepCourses,
  ) {}

  @HandleEvent(coursesCrawled)
  crawled(payload: PayloadOf<typeof coursesCrawled>): Promise<void> {
    const { applicationId, sequence, crawledAt, courses } = payload;
    return this.keepCourses.run({ applicationId, asked: { sequence, at: crawledAt }, courses });
  }

  @HandleEvent(coursesSwept)
  swept(payload: PayloadOf<typeof coursesSwept>): Promise<void> {
    return this.sweepCourses.run(payload);
  }
}
