import { HandleEvent, type PayloadOf } from '@registrar/bus';
import { coursesCrawled } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { UpsertCourses } from './upsert-courses.ts';

/** Imports the courses that a crawl has found. A crawl counts by its sequence. */
@Controller()
export class ImportCrawledCourses {
  constructor(private readonly upsertCourses: UpsertCourses) {}

  @HandleEvent(coursesCrawled)
  async import(payload: PayloadOf<typeof coursesCrawled>): Promise<void> {
    const { applicationId, sequence, crawledAt: at, courses } = payload;
    await this.upsertCourses.upsert({ applicationId, stamp: { sequence, at }, courses });
  }
}
