import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { demandLifetimeMs, reportDemand } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';

const demandRow = z.object({ account: z.string(), requestsPerSecond: z.number() });

/** Collects the demand that gateways report, and tells each that of the others. */
@Injectable()
export class ReportDemand {
  constructor(private readonly database: Database) {}

  @HandleRequest(reportDemand)
  async report({
    gateway,
    demand,
  }: InputOf<typeof reportDemand>): Promise<ReplyOf<typeof reportDemand>> {
    const accounts = demand.map(({ account }) => account);
    const rates = demand.map(({ requestsPerSecond }) => requestsPerSecond);
    const others = await this.database.many(
      demandRow,
      sql`WITH reported AS (
            INSERT INTO gateway_demand (account, gateway, requests_per_second)
            SELECT DISTINCT ON (account) account, ${gateway}::uuid, rate
            FROM unnest(${accounts}::text[], ${rates}::double precision[]) AS r (account, rate)
            ON CONFLICT (account, gateway) DO UPDATE
              SET requests_per_second = excluded.requests_per_second, reported_at = now()
          )
          SELECT account, sum(requests_per_second) AS "requestsPerSecond"
          FROM gateway_demand
          WHERE account = ANY (${accounts}) AND gateway <> ${gateway}
            AND reported_at > now() - ${demandLifetimeMs} * interval '1 millisecond'
          GROUP BY account`,
    );
    return { others };
  }

  /** Deletes reports that no longer count; those that a gateway is renewing stay. */
  @PeriodicTask({ name: 'prune reports of demand', everyMs: 10_000, timeoutMs: 10_000 })
  async prune(): Promise<void> {
    await this.database.execute(
      sql`DELETE FROM gateway_demand
          WHERE (account, gateway) IN (
            SELECT account, gateway FROM gateway_demand
            WHERE reported_at < now() - 5 * ${demandLifetimeMs} * interval '1 millisecond'
            FOR UPDATE SKIP LOCKED
          )`,
    );
  }
}
