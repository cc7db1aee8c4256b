import { appLogger, BackgroundWork, type Logger } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { KnownApplications } from './applications/known-applications.ts';
import { CrawlHistory } from './crawls/crawl-history.ts';

/** What the crawler does beside crawling. */
@Injectable()
export class Background extends BackgroundWork {
  constructor(
    knownApplications: KnownApplications,
    history: CrawlHistory,
    @Inject(appLogger) logger: Logger,
  ) {
    super(logger, [
      {
        name: 'ask for provider applications',
        every: 5 * 60_000,
        timeLimit: 30_000,
        run: () => knownApplications.refresh(),
      },
      {
        name: 'prune the history',
        every: 60 * 60_000,
        timeLimit: 30_000,
        run: () => history.prune(),
      },
    ]);
  }
}
