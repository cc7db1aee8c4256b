import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { crawlRegistrations } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CrawlNow } from './crawl-now.ts';

/** What is asked of the crawler. */
@Controller()
export class CrawlRequests {
  constructor(private readonly crawlNow: CrawlNow) {}

  @HandleRequest(crawlRegistrations)
  crawl(input: InputOf<typeof crawlRegistrations>): Promise<ReplyOf<typeof crawlRegistrations>> {
    return this.crawlNow.run(input);
  }
}
