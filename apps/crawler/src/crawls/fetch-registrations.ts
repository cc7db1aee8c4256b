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
  /** Without an outcome are registrations that are still to be fetched. */
  readonly outcomes: readonly CrawlOutcome[];
  /** The fault that ended the work early, or that all calls had; null if there was none, or the time was over. */
  readonly fault: CourseProviderError | null;
}

interface End {
  over: boolean;
  fault: CourseProviderError | null;
}

/** Fetches registrations from a provider one by one, by their GUIDs. */
@Injectable()
export class FetchRegistrations {
  constructor(private readonly providers: CourseProviderDirectory) {}

  /**
   * Ends early at a fault that is not specific to one registration: then no registration fails for it.
   * A server error is specific to a registration if the provider responds to a ping.
   *
   * @param mayRequest called before each request; false ends the work
   * @throws {Failure} when the provider's credentials cannot be found
   */
  async fetch(
    applicationId: number,
    registrationGuids: readonly string[],
    crawlType: CrawlType,
    mayRequest: () => Promise<boolean>,
  ): Promise<FetchedRegistrations> {
    const provider = await this.providers.forApplication(applicationId);
    const outcomes: CrawlOutcome[] = [];
    const end: End = { over: false, fault: null };
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
      end.over ||= !(await mayRequest());
      if (end.over) return;
      const result = await this.fetchOne(provider, registrationGuid, crawlType, isReachable);
      if (result.outcome) outcomes.push(result.outcome);
      end.over ||= result.over;
      end.fault ??= result.fault;
    });
    const responds = outcomes.some(({ outcome }) => outcome !== 'failed');
    return { outcomes, fault: end.over || !responds ? end.fault : null };
  }

  private async fetchOne(
    provider: CourseProvider,
    registrationGuid: string,
    crawlType: CrawlType,
    isReachable: () => Promise<boolean>,
  ): Promise<End & { outcome: CrawlOutcome | null }> {
    try {
      const result = await provider.getRegistration(registrationGuid, crawlType);
      const outcome: CrawlOutcome = result
        ? { ...crawledOutcome(result, crawlType), registrationGuid }
        : { outcome: 'deleted', registrationGuid };
      return { outcome, over: false, fault: null };
    } catch (error) {
      const isTimeOver = Failure.from(error).code === 'expired';
      if (isTimeOver) return { outcome: null, over: true, fault: null };
      if (!(error instanceof CourseProviderError)) throw error;
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
