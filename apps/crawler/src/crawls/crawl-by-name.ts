import { type CrawlOutcome, Failure } from '#libs/contracts';
import {
  type CourseProvider,
  CourseProviderDirectory,
  CourseProviderError,
} from '#libs/course-provider';
import { Inject, Injectable } from '@nestjs/common';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';

/** How many registrations are asked for at the same time. */
const concurrency = 8;

/** What became of registrations that were to be crawled by name. */
export interface NamedCrawl {
  /** Of those that the provider has answered for; the others are still to be crawled. */
  readonly outcomes: readonly CrawlOutcome[];
  /** Why no more were asked for; null when all were, or time was over. */
  readonly fault: CourseProviderError | null;
}

/** Asks a provider for registrations one by one. */
@Injectable()
export class CrawlByName {
  constructor(
    private readonly providers: CourseProviderDirectory,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /**
   * Ends early at a fault that is not a single registration's own.
   *
   * @param mayAsk called before each question; false ends the crawl
   * @throws {Failure} when there is no telling how to call the provider
   */
  async run(
    applicationId: number,
    registrationGuids: readonly string[],
    mayAsk: () => Promise<boolean>,
  ): Promise<NamedCrawl> {
    const provider = await this.providers.forApplication(applicationId);
    const waiting = [...new Set(registrationGuids)];
    const outcomes: CrawlOutcome[] = [];
    let end: { fault: CourseProviderError | null } | null = null;
    const askOn = async (): Promise<void> => {
      while (!end && waiting.length > 0) {
        if (!(await mayAsk())) return;
        const registrationGuid = waiting.shift();
        if (registrationGuid === undefined) return;
        const { outcome, endOfAll } = await this.ask(provider, registrationGuid);
        if (outcome) outcomes.push(outcome);
        end ??= endOfAll;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, askOn));
    return {
      outcomes,
      fault: (end as { fault: CourseProviderError | null } | null)?.fault ?? null,
    };
  }

  private async ask(
    provider: CourseProvider,
    registrationGuid: string,
  ): Promise<{
    outcome: CrawlOutcome | null;
    endOfAll: { fault: CourseProviderError | null } | null;
  }> {
    try {
      const result = await provider.getRegistration(registrationGuid, this.settings.CRAWL_TYPE);
      const outcome: CrawlOutcome = result
        ? { outcome: 'crawled', registrationGuid, result }
        : { outcome: 'deleted', registrationGuid };
      return { outcome, endOfAll: null };
    } catch (error) {
      if (Failure.from(error).code === 'expired')
        return { outcome: null, endOfAll: { fault: null } };
      if (!(error instanceof CourseProviderError)) throw error;
      const { kind, providerCode, providerMessage } = error.fault;
      // A provider that is asked too often has said nothing of the registration.
      if (kind === 'throttled') return { outcome: null, endOfAll: { fault: error } };
      return {
        outcome: {
          outcome: 'failed',
          registrationGuid,
          errorCode: providerCode,
          errorMessage: providerMessage,
        },
        endOfAll: kind === 'refused' ? null : { fault: error },
      };
    }
  }
}
