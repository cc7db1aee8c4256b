import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { crawlRegistrations, Failure, toTimestamp } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { currentRequestContext, remainingTimeMs, runInRequestContext } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CrawlPolicies } from '../applications/crawl-policies.ts';
import { CrawlHistory } from '../crawl-history/crawl-history.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { CrawlClock } from './crawl-clock.ts';
import { FetchRegistrations } from './fetch-registrations.ts';
import { SharedWork } from './shared-work.ts';
import { providerDeadline } from './provider-deadline.ts';

/** The time limit of a request without a deadline. */
const defaultTimeoutMs = 30_000;

type Input = InputOf<typeof crawlRegistrations>;
type Reply = ReplyOf<typeof crawlRegistrations>;

/**
 * Crawls registrations for a caller that waits for the results and applies them itself. Callers that ask for the same
 * registrations at the same time share a crawl.
 */
@Injectable()
export class CrawlOnDemand {
  readonly #shared = new SharedWork<Reply>();

  constructor(
    private readonly database: Database,
    private readonly fetchRegistrations: FetchRegistrations,
    private readonly clock: CrawlClock,
    private readonly dueRegistrations: DueRegistrations,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
    private readonly policies: CrawlPolicies,
  ) {}

  /** @throws {Failure} `not-found` when the provider application does not exist */
  @HandleRequest(crawlRegistrations)
  crawl(input: Input): Promise<Reply> {
    const { applicationId, registrationGuids } = input;
    const key = JSON.stringify([applicationId, ...registrationGuids.toSorted()]);
    return this.#shared.do(key, () => this.crawlOnce(input));
  }

  private async crawlOnce({ applicationId, registrationGuids }: Input): Promise<Reply> {
    const { crawlType } = await this.policies.find(applicationId);
    const { sequence, at } = await this.clock.next();
    const deadline = providerDeadline(Date.now(), Math.min(remainingTimeMs(), defaultTimeoutMs));
    const context = currentRequestContext() ?? { requestId: randomUUID() };
    const { outcomes, fault } = await runInRequestContext({ ...context, deadline }, () =>
      this.fetchRegistrations.fetch(applicationId, registrationGuids, crawlType, () =>
        this.waitForCall(applicationId),
      ),
    );
    const fetched = new Set(outcomes.map((outcome) => outcome.registrationGuid));
    const left = registrationGuids.filter((registrationGuid) => !fetched.has(registrationGuid));
    await this.database.transaction(async () => {
      if (left.length > 0) await this.dueRegistrations.scheduleNow(applicationId, left);
      if (fault) await this.rateLimits.recordFailure(applicationId, fault);
      else if (outcomes.length > 0) await this.rateLimits.recordSuccess(applicationId);
      await this.history.record({
        applicationId,
        kind: 'on-demand',
        startedAt: at,
        items: outcomes.length,
        error: fault?.message ?? null,
      });
    });
    return { sequence, crawledAt: toTimestamp(at), crawlType, outcomes: [...outcomes] };
  }

  /** Waits for a call of the rate limit; false when none is available before the deadline. */
  private async waitForCall(applicationId: number): Promise<boolean> {
    try {
      return await this.rateLimits.waitFor(applicationId, 'on-demand');
    } catch (error) {
      if (Failure.from(error).code === 'expired') return false;
      throw error;
    }
  }
}
