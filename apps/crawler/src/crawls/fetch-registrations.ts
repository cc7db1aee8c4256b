import { type CrawlOutcome, type CrawlType, Failure } from '@registrar/contracts';
import {
  type CourseProvider,
  CourseProviderDirectory,
  CourseProviderError,
} from '@registrar/course-provider';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { crawledOutcome } from './crawled-outcome.ts';

/** The maximum number of concurrent requests to the provider. */
const maxConcurrency = 8;

/** The registrations that the provider returned. */
export interface FetchedRegistrations {
  /** Missing registrations were not fetched. */
  readonly outcomes: readonly CrawlOutcome[];
  /** The fault that ended the work early, or that all calls had; null if there was none, or the time was over. */
  readonly fault: CourseProviderError | null;
  /** The call that had no response when the time was over, if no call had one. */
  readonly unanswered: CourseProviderError | null;
}

/** What the call for one registration returned. */
export interface FetchedRegistration {
  readonly outcome: CrawlOutcome | null;
  /** Whether no further registration can be fetched: because of the fault, or because the time is over. */
  readonly over: boolean;
  readonly fault: CourseProviderError | null;
  /** The call had no response when the time was over. */
  readonly unanswered?: CourseProviderError;
}

/** Makes the call for one registration, or returns what a call that is shared with others returned. */
export type MakeCall = (
  registrationGuid: string,
  call: () => Promise<FetchedRegistration>,
) => Promise<FetchedRegistration>;

/** What a call returns that was not made, or not ended, before the deadline. */
export const timeIsOver: FetchedRegistration = { outcome: null, over: true, fault: null };

/** Fetches registrations from a provider one by one, by their GUIDs. */
@Injectable()
export class FetchRegistrations {
  constructor(private readonly providers: CourseProviderDirectory) {}

  /**
   * Ends early at a fault that is not specific to one registration: then no registration fails for it.
   * A server error is specific to a registration if the provider responds to a ping.
   *
   * @param mayRequest called before each request; false ends the work
   * @param makeCall makes each call; for work that shares calls with others
   * @throws {Failure} when the provider's credentials cannot be found
   */
  async fetch(
    applicationId: number,
    registrationGuids: readonly string[],
    crawlType: CrawlType,
    mayRequest: () => Promise<boolean>,
    makeCall: MakeCall = (_, call) => call(),
  ): Promise<FetchedRegistrations> {
    const provider = await this.providers.forApplication(applicationId);
    const outcomes: CrawlOutcome[] = [];
    let isOver = false;
    let fault: CourseProviderError | null = null;
    let unanswered: CourseProviderError | null = null;
    /** The first result with a fault that concerns all registrations. */
    let refused: FetchedRegistration | null = null;
    const limit = pLimit(maxConcurrency);
    let ping: Promise<boolean> | null = null;
    const isReachable = () => {
      ping ??= mayRequest().then(async (mayPing) => {
        if (!mayPing) return false;
        return provider.ping().then(
          () => true,
          () => false,
        );
      });
      return ping;
    };
    await limit.map(new Set(registrationGuids), async (registrationGuid) => {
      if (isOver) return;
      const result = await makeCall(registrationGuid, async () => {
        if (!(await mayRequest())) return timeIsOver;
        // Others may wait for a shared call when the time of this work is over, but not after such a fault.
        return refused ?? this.fetchOne(provider, registrationGuid, crawlType, isReachable);
      });
      if (result.outcome) outcomes.push(result.outcome);
      if (result.over && result.fault) refused ??= result;
      isOver ||= result.over;
      fault ??= result.fault;
      unanswered ??= result.unanswered ?? null;
    });
    const responds = outcomes.some(({ outcome }) => outcome !== 'failed');
    return {
      outcomes,
      fault: isOver || !responds ? fault : null,
      unanswered: responds ? null : unanswered,
    };
  }

  private async fetchOne(
    provider: CourseProvider,
    registrationGuid: string,
    crawlType: CrawlType,
    isReachable: () => Promise<boolean>,
  ): Promise<FetchedRegistration> {
    try {
      const result = await provider.getRegistration(registrationGuid, crawlType);
      const outcome: CrawlOutcome = result
        ? { ...crawledOutcome(result, crawlType), registrationGuid }
        : { outcome: 'deleted', registrationGuid };
      return { outcome, over: false, fault: null };
    } catch (error) {
      const isExpired = Failure.from(error).code === 'expired';
      if (isExpired && !(error instanceof CourseProviderError)) return timeIsOver;
      if (!(error instanceof CourseProviderError)) throw error;
      if (isExpired) return { ...timeIsOver, unanswered: error };
      const { kind, providerCode: errorCode, providerMessage: errorMessage } = error.fault;
      const isOfApplication =
        kind === 'throttled' ||
        kind === 'unauthorized' ||
        (kind !== 'refused' && !(await isReachable()));
      if (isOfApplication) return { outcome: null, over: true, fault: error };
      const outcome = { outcome: 'failed' as const, registrationGuid, errorCode, errorMessage };
      return { outcome, over: false, fault: kind === 'refused' ? null : error };
    }
  }
}
