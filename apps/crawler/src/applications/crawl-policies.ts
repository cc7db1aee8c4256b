import { Database, sql } from '@registrar/persistence';
import { Inject, Injectable } from '@nestjs/common';
import type { CrawlPolicy } from '../due-work/claim.ts';
import { policyOf, policyOverrides } from '../due-work/crawl-policy.ts';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';

/** Finds how provider applications are crawled. */
@Injectable()
export class CrawlPolicies {
  constructor(
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  /** Returns the policy of an application; that of the settings for an unknown one. */
  async find(applicationId: number): Promise<CrawlPolicy> {
    const overrides = await this.database.maybeOne(
      policyOverrides,
      sql`SELECT interval_seconds AS "intervalSeconds", crawl_type AS "crawlType"
          FROM applications WHERE id = ${applicationId}`,
    );
    return policyOf(overrides ?? { intervalSeconds: null, crawlType: null }, this.settings);
  }
}
