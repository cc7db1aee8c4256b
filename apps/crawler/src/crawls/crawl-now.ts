import { type InputOf, type ReplyOf } from '#libs/bus';
import { type crawlRegistrations, Failure, toTimestamp } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { currentOperation, remainingTime, runOperation } from '#libs/platform';
import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { askingEnds } from './asking-time.ts';
import { AskSequence } from './ask-sequence.ts';
import { CrawlByName } from './crawl-by-name.ts';
import { CrawlHistory } from './crawl-history.ts';

/** How long a crawl takes at most when its request has no deadline: milliseconds. */
const longest = 30_000;

/** Crawls registrations for somebody who waits for them. The asker applies the reply. */
@Injectable()
export class CrawlNow {
  constructor(
    private readonly database: Database,
    private readonly crawlByName: CrawlByName,
    private readonly askSequence: AskSequence,
    private readonly dueRegistrations: DueRegistrations,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  async run({
    applicationId,
    registrationGuids,
  }: InputOf<typeof crawlRegistrations>): Promise<ReplyOf<typeof crawlRegistrations>> {
    const { sequence, at } = await this.askSequence.next();
    const deadline = askingEnds(Date.now(), Math.min(remainingTime(), longest));
    const operation = currentOperation() ?? { requestId: randomUUID() };
    const { outcomes, fault } = await runOperation({ ...operation, deadline }, () =>
      this.crawlByName.run(applicationId, registrationGuids, () => this.mayAsk(applicationId)),
    );
    const answered = new Set(outcomes.map((outcome) => outcome.registrationGuid));
    const left = registrationGuids.filter((registrationGuid) => !answered.has(registrationGuid));
    await this.database.transaction(async () => {
      if (left.length > 0) await this.dueRegistrations.soon(applicationId, left);
      if (fault) await this.rateLimits.slowDown(applicationId, fault);
      await this.history.note({
        applicationId,
        kind: 'on-demand',
        startedAt: at,
        items: outcomes.length,
        error: fault?.message ?? null,
      });
    });
    const crawlType = this.settings.CRAWL_TYPE;
    return { sequence, crawledAt: toTimestamp(at), crawlType, outcomes: [...outcomes] };
  }

  /** Waits for a call of the rate limit; false when there is none before time is over. */
  private async mayAsk(applicationId: number): Promise<boolean> {
    try {
      for (;;) {
        const { granted, wait } = await this.rateLimits.take(applicationId, 1, 'interactive');
        if (granted > 0) return true;
        if (wait >= remainingTime()) return false;
        await pause(wait);
      }
    } catch (error) {
      if (Failure.from(error).code === 'expired') return false;
      throw error;
    }
  }
}
