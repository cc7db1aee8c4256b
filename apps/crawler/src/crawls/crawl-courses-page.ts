import { Outbox } from '@registrar/bus';
import { coursesCrawled, coursesSwept, Failure, toTimestamp } from '@registrar/contracts';
import { CourseProviderDirectory } from '@registrar/course-provider';
import { Injectable } from '@nestjs/common';
import { type ListClaim } from '../due-work/claim.ts';
import { Leases } from '../due-work/leases.ts';
import { CrawlClock } from './crawl-clock.ts';
import { CrawlProgress } from './crawl-progress.ts';
import { splitIntoBatches } from './split-into-batches.ts';

/** The most courses of an application. */
const maxCourses = 200_000;

/** Crawls one page of an application's courses. */
@Injectable()
export class CrawlCoursesPage {
  constructor(
    private readonly outbox: Outbox,
    private readonly providers: CourseProviderDirectory,
    private readonly clock: CrawlClock,
    private readonly leases: Leases,
    private readonly progress: CrawlProgress,
  ) {}

  /** @throws {Failure} on any error; the page then stays due */
  async crawl(claim: ListClaim): Promise<void> {
    const { applicationId } = claim;
    const provider = await this.providers.forApplication(applicationId);
    const stamp = await this.clock.next();
    const page = await provider.getCoursePage(claim.more);
    const courseGuids = page.items.map((course) => course.courseGuid);
    const before = new Set(claim.courseGuids);
    const listed = new Set([...before, ...courseGuids]);
    if (page.more !== null) this.requireProgress(before.size, listed.size);
    await this.leases.finish(claim, async () => {
      const crawledAt = toTimestamp(stamp.at);
      for (const courses of splitIntoBatches(page.items)) {
        const { sequence } = stamp;
        await this.outbox.publish(coursesCrawled, { applicationId, sequence, crawledAt, courses });
      }
      const items = courseGuids.length;
      const progress = { stamp, more: page.more, items, courseGuids };
      if (await this.progress.advance(claim, progress)) {
        const { sequence, at } = claim.firstPage ?? stamp;
        await this.outbox.publish(coursesSwept, {
          applicationId,
          sequence,
          startedAt: toTimestamp(at),
          courseGuids: [...listed],
        });
      }
    });
  }

  /** @throws {Failure} when the list goes round in a circle, or is longer than the most courses */
  private requireProgress(before: number, after: number): void {
    if (after > before && after <= maxCourses) return;
    const message = "the course provider's list of courses does not end";
    throw new Failure('unavailable', message, undefined, { ofProvider: true });
  }
}
