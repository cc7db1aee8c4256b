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
  /** The fault that ended the work early; null if there was none, or the time was over. */
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
   * Ends early at a fault that is not specific to one registration.
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
    await limit.map(new Set(registrationGuids), async (registrationGuid) => {
      end.over ||= !(await mayRequest());
      if (end.over) return;
      const result = await this.fetchOne(provider, registrationGuid, crawlType);
      if (result.outcome) outcomes.push(result.outcome);
      end.over ||= result.over;
      end.fault ??= result.fault;
    });
    return { outcomes, fault: end.fault };
  }

  private async fetchOne(
    provider: CourseProvider,
    registrationGuid: string,
    crawlType: CrawlType,
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
      // A response to an exceeded rate limit contains nothing about the registration.
      if (kind === 'throttled') return { outcome: null, over: true, fault: error };
      const outcome = { outcome: 'failed' as const, registrationGuid, errorCode, errorMessage };
      const isSpecific = kind === 'refused';
      return { outcome, over: !isSpecific, fault: isSpecific ? null : error };
    }
  }
}
