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

interface End {
  over: boolean;
  fault: CourseProviderError | null;
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
    const end: End = { over: false, fault: null };
    const askOn = async (): Promise<void> => {
      while (!end.over && waiting.length > 0) {
        if (!(await mayAsk())) return;
        const registrationGuid = waiting.shift();
        if (registrationGuid === undefined) return;
        const answer = await this.ask(provider, registrationGuid);
        if (answer.outcome) outcomes.push(answer.outcome);
        end.over ||= answer.over;
        end.fault ??= answer.fault;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, askOn));
    return { outcomes, fault: end.fault };
  }

  private async ask(
    provider: CourseProvider,
    registrationGuid: string,
  ): Promise<End & { outcome: CrawlOutcome | null }> {
    try {
      const result = await provider.getRegistration(registrationGuid, this.settings.CRAWL_TYPE);
      const outcome: CrawlOutcome = result
        ? { outcome: 'crawled', registrationGuid, result }
        : { outcome: 'deleted', registrationGuid };
      return { outcome, over: false, fault: null };
    } catch (error) {
      const outOfTime = Failure.from(error).code === 'expired';
      if (outOfTime) return { outcome: null, over: true, fault: null };
      if (!(error instanceof CourseProviderError)) throw error;
      const { kind, providerCode: errorCode, providerMessage: errorMessage } = error.fault;
      // A provider that is asked too often has said nothing of the registration.
      if (kind === 'throttled') return { outcome: null, over: true, fault: error };
      const outcome = { outcome: 'failed' as const, registrationGuid, errorCode, errorMessage };
      const isItsOwn = kind === 'refused';
      return { outcome, over: !isItsOwn, fault: isItsOwn ? null : error };
    }
  }
}
