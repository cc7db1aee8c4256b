import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { configureCrawls, crawlType, Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import * as z from 'zod';
import { publishAct } from '../publish-act.ts';
import { RefreshApplications } from './refresh-applications.ts';

const configuredRow = z.object({
  limit: z.number().nullable(),
  rate: z.number().nullable(),
  interval: z.number().nullable(),
  type: crawlType.nullable(),
  paused: z.boolean(),
  realmId: z.number(),
});

/** Sets how a provider application is crawled, for the operator. */
@Controller()
export class ConfigureCrawls {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly refreshApplications: RefreshApplications,
  ) {}

  /** @throws {Failure} `not-found` when the crawler does not know the application */
  @HandleRequest(configureCrawls)
  async configure(
    input: InputOf<typeof configureCrawls>,
  ): Promise<ReplyOf<typeof configureCrawls>> {
    const configured = await this.database.transaction(() => this.store(input));
    // Whether the realm is disabled, which pauses the application as well, is stored in identity alone.
    if (input.paused === false) await this.refreshApplications.refresh();
    return configured;
  }

  private async store(
    input: InputOf<typeof configureCrawls>,
  ): Promise<ReplyOf<typeof configureCrawls>> {
    const { application, limit, rate, interval, type, paused } = input;
    const given = (value: unknown) => value !== undefined;
    const row = await this.database.maybeOne(
      configuredRow,
      sql`UPDATE applications
          SET calls_per_second =
                CASE WHEN ${given(limit)} THEN ${limit ?? null}::integer ELSE calls_per_second END,
              rate_per_second = CASE WHEN ${given(rate)} THEN ${rate ?? null}::integer ELSE rate_per_second END,
              interval_seconds =
                CASE WHEN ${given(interval)} THEN ${interval ?? null}::integer ELSE interval_seconds END,
              crawl_type = CASE WHEN ${given(type)} THEN ${type ?? null}::text ELSE crawl_type END,
              is_paused_by_operator = coalesce(${paused ?? null}::boolean, is_paused_by_operator),
              is_paused = is_paused OR coalesce(${paused ?? null}::boolean, false)
          WHERE id = ${application}
          RETURNING calls_per_second AS limit, rate_per_second AS rate, interval_seconds AS interval, crawl_type AS type,
                    is_paused_by_operator AS paused, realm_id AS "realmId"`,
    );
    if (!row) throw new Failure('not-found', 'the crawler knows no such application');
    const { realmId, ...configured } = row;
    if (interval !== undefined && interval !== null) {
      await this.database.execute(sql`
        UPDATE due_crawls
        SET interval_seconds = ${interval},
            due_at = CASE WHEN due_at = 'infinity' THEN due_at
                          ELSE least(due_at, now() + ${interval} * interval '1 s') END
        WHERE application_id = ${application} AND kind = 'changed-registrations'`);
    }
    const changes = Object.entries({ limit, rate, interval, type, paused });
    await publishAct(this.outbox, 'crawl.configured', realmId, {
      application_id: application,
      ...Object.fromEntries(
        changes.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
    });
    return configured;
  }
}
