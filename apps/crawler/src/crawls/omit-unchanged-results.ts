import { BusClient } from '@registrar/bus';
import { Failure, findChangedResults } from '@registrar/contracts';
import { appLogger, logFailedWork, type Logger, runWithin } from '@registrar/platform';
import { Inject, Injectable } from '@nestjs/common';
import type { CrawledOutcome } from './crawled-outcome.ts';

/** The most results in one request (libs/contracts, enrolment). */
const maxResults = 1000;

const timeoutMs = 10_000;

/** A page of a list: the sequences of the page, and of the first page of a full sweep; null for a page of changes. */
interface ListedPage {
  readonly applicationId: number;
  readonly sweep: number | null;
  readonly sequence: number;
}

/** Leaves out of a page of a list what enrolment has stored already. */
@Injectable()
export class OmitUnchangedResults {
  constructor(
    private readonly bus: BusClient,
    @Inject(appLogger) private readonly logger: Logger,
  ) {}

  /** Returns the outcomes that enrolment does not have; all of them while it is unavailable. */
  async omit(page: ListedPage, outcomes: readonly CrawledOutcome[]): Promise<CrawledOutcome[]> {
    const changed: CrawledOutcome[] = [];
    for (let start = 0; start < outcomes.length; start += maxResults) {
      changed.push(...(await this.findChanged(page, outcomes.slice(start, start + maxResults))));
    }
    return changed;
  }

  private async findChanged(
    page: ListedPage,
    outcomes: CrawledOutcome[],
  ): Promise<CrawledOutcome[]> {
    const results = outcomes.map(({ registrationGuid, digest }) => ({ registrationGuid, digest }));
    try {
      const { changed } = await runWithin(timeoutMs, () =>
        this.bus.request(findChangedResults, { ...page, results }),
      );
      const guids = new Set(changed);
      return outcomes.filter(({ registrationGuid }) => guids.has(registrationGuid));
    } catch (error) {
      const fields = { application: page.applicationId, code: Failure.from(error).code };
      const text = 'results were not compared with the stored ones; all of them are published';
      logFailedWork(this.logger, error, fields, text);
      return outcomes;
    }
  }
}
