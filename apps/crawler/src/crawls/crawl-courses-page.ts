import { Outbox } from '#libs/bus';
import { coursesCrawled, coursesSwept, toTimestamp } from '#libs/contracts';
import { CourseProviderDirectory } from '#libs/course-provider';
import { Injectable } from '@nestjs/common';
import { type ListClaim } from '../due-work/claim.ts';
import { Leases } from '../due-work/leases.ts';
import { AskSequence } from './ask-sequence.ts';
import { CrawlProgress } from './crawl-progress.ts';
import { inParcels } from './parcels.ts';

/** Crawls one page of an application's courses. */
@Injectable()
export class CrawlCoursesPage {
  constructor(
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly askSequence: AskSequence,
    private readonly leases: Leases,
    private readonly progress: CrawlProgress,
  ) {}

  /** @throws {Failure} whatever went wrong; the page then is still to be crawled */
  async run(claim: ListClaim): Promise<void> {
    const { applicationId } = claim;
    const provider = await this.providers.forApplication(applicationId);
    const asked = await this.askSequence.next();
    const page = await provider.coursePage(claim.more);
    const courseGuids = page.items.map((course) => course.courseGuid);
    await this.leases.finish(claim, async () => {
      const crawledAt = toTimestamp(asked.at);
      for (const courses of inParcels(page.items)) {
        const { sequence } = asked;
        await this.outbox.publish(coursesCrawled, { applicationId, sequence, crawledAt, courses });
      }
      const items = courseGuids.length;
      await this.progress.advance(claim, { asked, more: page.more, items, courseGuids });
      if (page.more === null) {
        const { sequence, at } = claim.begun ?? asked;
        await this.outbox.publish(coursesSwept, {
          applicationId,
          sequence,
          startedAt: toTimestamp(at),
          courseGuids: [...new Set([...claim.courseGuids, ...courseGuids])],
        });
      }
    });
  }
}
