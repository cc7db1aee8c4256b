import { Outbox } from '@registrar/bus';
import { remainingTimeMs } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import { CrawlHistory } from '../crawl-history/crawl-history.ts';
import { type RegistrationsClaim } from '../due-work/claim.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { Leases } from '../due-work/leases.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { CrawlClock } from './crawl-clock.ts';
import { publishOutcomes } from './crawled-outcome.ts';
import { type FetchedRegistrations, FetchRegistrations } from './fetch-registrations.ts';
import { requestTimeoutMs } from './request-timeout.ts';

/** Crawls registrations by their GUIDs after a create, a launch or an unfinished crawl on demand. */
@Injectable()
export class CrawlDueRegistrations {
  constructor(
    private readonly outbox: Outbox,
    private readonly fetchRegistrations: FetchRegistrations,
    private readonly clock: CrawlClock,
    private readonly leases: Leases,
    private readonly dueRegistrations: DueRegistrations,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
  ) {}

  /** @throws {Failure} when no request could be sent; all registrations then stay due */
  async crawl(claim: RegistrationsClaim): Promise<void> {
    const { applicationId, due, policy } = claim;
    const stamp = await this.clock.next();
    // The claim includes the first call. A call must be taken when it is made, not before.
    let claimedCalls = 1;
    const mayRequest = async () => {
      if (remainingTimeMs() <= requestTimeoutMs) return false;
      claimedCalls -= 1;
      return claimedCalls >= 0 || this.rateLimits.waitFor(applicationId, 'background');
    };
    const fetched = await this.fetchRegistrations.fetch(
      applicationId,
      due.map((each) => each.registrationGuid),
      policy.crawlType,
      mayRequest,
    );
    await this.leases.finish(claim, async () => {
      await publishOutcomes(this.outbox, claim, stamp, fetched.outcomes);
      await this.dueRegistrations.reschedule(applicationId, crawledOf(claim, fetched), policy);
      await (fetched.fault
        ? this.rateLimits.recordFailure(applicationId, fetched.fault)
        : this.rateLimits.recordSuccess(applicationId));
      await this.history.record({
        applicationId,
        kind: claim.kind,
        startedAt: stamp.at,
        items: fetched.outcomes.length,
        error: fetched.fault?.message ?? null,
      });
    });
  }
}

/** Returns the claimed registrations that have an outcome. */
function crawledOf({ due }: RegistrationsClaim, { outcomes }: FetchedRegistrations) {
  const byGuid = new Map(outcomes.map((outcome) => [outcome.registrationGuid, outcome]));
  return due.flatMap((each) => {
    const outcome = byGuid.get(each.registrationGuid);
    if (!outcome) return [];
    const complete =
      outcome.outcome === 'deleted' ||
      (outcome.outcome === 'crawled' && outcome.result.completion === 'complete');
    return [{ ...each, complete }];
  });
}
