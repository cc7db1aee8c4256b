import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type CrawlOutcome,
  crawlRegistrations,
  type CrawlType,
  Failure,
  toTimestamp,
} from '@registrar/contracts';
import { type CourseProviderError } from '@registrar/course-provider';
import { Database, sql } from '@registrar/persistence';
import {
  clock,
  currentRequestContext,
  FairQueue,
  type FairQueueLimits,
  type Owner,
  remainingTimeMs,
  runInRequestContext,
} from '@registrar/platform';
import { Controller, Inject } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CrawlHistory } from '../crawl-history/crawl-history.ts';
import { type CrawlStamp } from '../due-work/claim.ts';
import { policyOf, policyOverrides } from '../due-work/crawl-policy.ts';
import { DueRegistrations } from '../due-work/due-registrations.ts';
import { RateLimits } from '../rate-limits/rate-limits.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';
import { CrawlClock } from './crawl-clock.ts';
import {
  type FetchedRegistration,
  type FetchedRegistrations,
  FetchRegistrations,
  type MakeCall,
  timeIsOver,
} from './fetch-registrations.ts';
import { providerDeadline } from './provider-deadline.ts';
import { SharedCalls } from './shared-calls.ts';

/**
 * How many crawls of registrations one replica makes for clients at a time. Provider applications take turns, so that
 * one whose clients ask for many, or that is slow, does not keep those of others waiting. Four at a time reach 20 calls a
 * second at a provider that takes 200 ms, and leave processors to others where it responds at once.
 */
const callLimits: FairQueueLimits = {
  running: 32,
  runningOfRealm: 4,
  waiting: Infinity,
  waitingOfRealm: Infinity,
  maxWaitMs: Infinity,
};

/** The time limit of a request without a deadline. */
const defaultTimeoutMs = 30_000;

type Input = InputOf<typeof crawlRegistrations>;
type Reply = ReplyOf<typeof crawlRegistrations>;

/** What a call returned, and a stamp from before it was sent. */
interface StampedCall {
  readonly stamp: CrawlStamp;
  readonly fetched: FetchedRegistration;
}

/**
 * Crawls registrations for a caller that waits for the results and applies them itself. Callers that ask for the same
 * registration at the same time share the call of the provider.
 */
@Controller()
export class CrawlOnDemand {
  readonly #calls = new SharedCalls<StampedCall>();
  /** By provider application, in place of realms. */
  readonly #turns = new FairQueue(
    callLimits,
    () => new Failure('expired', 'the turn of the crawl did not come in time'),
  );
  /** Outcomes and faults of shared calls that a crawl has recorded: the first one that sees them. */
  readonly #recorded = new WeakSet<CrawlOutcome | CourseProviderError>();

  constructor(
    private readonly database: Database,
    private readonly fetchRegistrations: FetchRegistrations,
    private readonly clock: CrawlClock,
    private readonly dueRegistrations: DueRegistrations,
    private readonly rateLimits: RateLimits,
    private readonly history: CrawlHistory,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** @throws {Failure} `not-found` when the provider application does not exist */
  @HandleRequest(crawlRegistrations)
  async crawl({ applicationId, registrationGuids }: Input): Promise<Reply> {
    const crawlType = await this.crawlTypeOf(applicationId);
    const deadline = providerDeadline(clock.now(), Math.min(remainingTimeMs(), defaultTimeoutMs));
    const stamps: CrawlStamp[] = [];
    const makeCall: MakeCall = async (registrationGuid, call) => {
      const key = JSON.stringify([applicationId, crawlType, registrationGuid]);
      const shared = await this.share({ realmId: applicationId, key }, deadline, call);
      if (shared) stamps.push(shared.stamp);
      return shared?.fetched ?? timeIsOver;
    };
    const mayRequest = () => this.waitForCall(applicationId);
    const context = currentRequestContext() ?? { requestId: randomUUID() };
    const fetched = await runInRequestContext({ ...context, deadline }, () =>
      this.fetchRegistrations.fetch(
        applicationId,
        registrationGuids,
        crawlType,
        mayRequest,
        makeCall,
      ),
    );
    // Each call was sent after its stamp was taken, so that the first stamp is older than all outcomes.
    const stamp = earliest(stamps) ?? (await this.clock.next());
    await this.record(applicationId, registrationGuids, fetched, stamp);
    const { sequence, at } = stamp;
    return {
      sequence,
      crawledAt: toTimestamp(at),
      crawlType,
      outcomes: [...fetched.outcomes],
      fault: await this.faultOf(applicationId, registrationGuids, fetched),
    };
  }

  private async crawlTypeOf(applicationId: number): Promise<CrawlType> {
    const overrides = await this.database.maybeOne(
      policyOverrides,
      sql`SELECT interval_seconds AS "intervalSeconds", crawl_type AS "crawlType"
          FROM applications WHERE id = ${applicationId}`,
    );
    const unknown = { intervalSeconds: null, crawlType: null };
    return policyOf(overrides ?? unknown, this.settings).crawlType;
  }

  /** Returns why registrations have no outcome; null if no call of the provider has failed. */
  private async faultOf(
    applicationId: number,
    registrationGuids: readonly string[],
    { outcomes, fault, unanswered }: FetchedRegistrations,
  ): Promise<Reply['fault']> {
    if (outcomes.length === new Set(registrationGuids).size) return null;
    const error = fault ?? unanswered;
    if (!error) return this.rateLimits.faultOfPause(applicationId);
    const { providerCode: errorCode, providerMessage: errorMessage } = error.fault;
    return { errorCode, errorMessage };
  }

  /** Makes a call, or shares the next one; null when it has not ended at the deadline. */
  private async share(
    owner: Owner,
    deadline: number,
    call: () => Promise<FetchedRegistration>,
  ): Promise<StampedCall | null> {
    const context = currentRequestContext() ?? { requestId: randomUUID() };
    try {
      return await this.#calls.request(owner.key, deadline, (callDeadline) =>
        runInRequestContext({ ...context, deadline: callDeadline }, () => {
          const stampedCall = async () => ({
            stamp: await this.clock.next(),
            fetched: await call(),
          });
          return this.#turns.run(owner, stampedCall, false);
        }),
      );
    } catch (error) {
      if (Failure.from(error).code === 'expired') return null;
      throw error;
    }
  }

  /** Schedules what has no outcome, and records what no other crawl has recorded that shared the calls. */
  private async record(
    applicationId: number,
    registrationGuids: readonly string[],
    { outcomes, fault }: FetchedRegistrations,
    { at: startedAt }: CrawlStamp,
  ): Promise<void> {
    const fetched = new Set(outcomes.map((outcome) => outcome.registrationGuid));
    const left = registrationGuids.filter((registrationGuid) => !fetched.has(registrationGuid));
    const items = outcomes.filter((outcome) => this.isFirst(outcome)).length;
    const newFault = fault && this.isFirst(fault) ? fault : null;
    const isShared = items === 0 && newFault === null && (outcomes.length > 0 || fault !== null);
    if (isShared && left.length === 0) return;
    await this.database.transaction(async () => {
      if (left.length > 0) await this.dueRegistrations.scheduleNow(applicationId, left);
      if (isShared) return;
      if (newFault) await this.rateLimits.recordFailure(applicationId, newFault);
      else if (items > 0 && !fault) await this.rateLimits.recordSuccess(applicationId);
      await this.history.record({
        applicationId,
        kind: 'on-demand',
        startedAt,
        items,
        error: newFault?.message ?? null,
      });
    });
  }

  private isFirst(result: CrawlOutcome | CourseProviderError): boolean {
    if (this.#recorded.has(result)) return false;
    this.#recorded.add(result);
    return true;
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

function earliest(stamps: readonly CrawlStamp[]): CrawlStamp | null {
  const [first] = stamps.toSorted((one, other) => one.sequence - other.sequence);
  return first ?? null;
}
