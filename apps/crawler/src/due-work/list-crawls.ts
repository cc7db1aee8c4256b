import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listCrawls } from '@registrar/contracts';
import { Database, decodeCursor, sql, type Sql, timestampOf, toPage } from '@registrar/persistence';
import { Inject, Controller } from '@nestjs/common';
import * as z from 'zod';
import { type CrawlSettings, crawlSettingsToken } from '../settings.ts';

const crawlsRow = listCrawls.item.extend({ id: z.number() });

/** SQL of the state of a row of `due_crawls`. */
const stateOf = (row: Sql): Sql => sql`
  CASE WHEN a.is_paused THEN 'paused'
       WHEN ${row}.failures > 0 THEN 'failing'
       WHEN ${row}.started_at IS NOT NULL THEN 'running'
       WHEN ${row}.due_at <= now() THEN 'due'
       WHEN ${row}.window_at IS NULL THEN 'waiting'
       ELSE 'done' END`;

/** Lists how far the crawls of each provider application are, for the operator. */
@Controller()
export class ListCrawls {
  constructor(
    private readonly database: Database,
    @Inject(crawlSettingsToken) private readonly settings: CrawlSettings,
  ) {}

  @HandleRequest(listCrawls)
  async list(input: InputOf<typeof listCrawls>): Promise<ReplyOf<typeof listCrawls>> {
    const { cursor, limit, applications } = input;
    const rows = await this.database.many(
      crawlsRow,
      sql`SELECT a.id, a.id AS application,
                 CASE WHEN a.is_paused_by_operator THEN 'paused'
                      WHEN a.is_paused THEN 'disabled'
                      WHEN l.failures > 0 AND l.fault = 'unauthorized' THEN 'unauthorized'
                      WHEN l.paused_until > now() THEN 'backing off'
                      WHEN a.lease_until > now() OR running.kind IS NOT NULL THEN 'crawling'
                      WHEN late.is_due THEN 'due'
                      ELSE 'idle' END AS state,
                 late.seconds AS late_seconds, ${timestampOf(sql`w.window_at`)} AS changes_at,
                 running.kind AS running, running.items, running.expected, running.windows,
                 ${timestampOf(sql`running.started_at`)} AS running_since,
                 ${stateOf(sql`r`)} AS registrations,
                 ${timestampOf(sql`r.window_at`)} AS registrations_at,
                 ${stateOf(sql`c`)} AS courses, ${timestampOf(sql`c.window_at`)} AS courses_at,
                 coalesce(l.rate, a.rate_per_second, ${this.settings.CRAWL_RATE_PER_SECOND}) AS rate,
                 coalesce(l.failures, 0) AS failures,
                 ${timestampOf(sql`CASE WHEN l.paused_until > now() THEN l.paused_until END`)}
                   AS backing_off_until,
                 jsonb_build_object(
                   'limit', a.calls_per_second, 'rate', a.rate_per_second,
                   'interval', a.interval_seconds, 'type', a.crawl_type,
                   'paused', a.is_paused_by_operator) AS configuration,
                 CASE WHEN r.failures > 0 OR c.failures > 0 OR w.failures > 0 OR w.missing > 0 OR l.failures > 0 THEN (
                   SELECT h.error FROM crawl_history AS h
                   WHERE h.application_id = a.id AND h.outcome = 'failed'
                   ORDER BY h.id DESC LIMIT 1
                 ) END AS error
          FROM applications AS a
          JOIN due_crawls AS w ON w.application_id = a.id AND w.kind = 'changed-registrations'
          JOIN due_crawls AS r ON r.application_id = a.id AND r.kind = 'all-registrations'
          JOIN due_crawls AS c ON c.application_id = a.id AND c.kind = 'courses'
          LEFT JOIN rate_limits AS l ON l.application_id = a.id
          LEFT JOIN LATERAL (
            SELECT d.kind, d.started_at, d.items + coalesce(parts.items, 0) AS items, parts.windows,
                   coalesce(d.total, d.last_items, w.last_items) AS expected
            FROM due_crawls AS d
            LEFT JOIN LATERAL (
              SELECT sum(p.items)::integer AS items, count(*)::integer AS windows
              FROM crawl_windows AS p
              WHERE p.application_id = d.application_id AND p.kind = d.kind
            ) AS parts ON true
            WHERE d.application_id = a.id AND d.started_at IS NOT NULL
            ORDER BY d.started_at LIMIT 1
          ) AS running ON true
          CROSS JOIN LATERAL (
            SELECT coalesce(max(greatest(0, extract(epoch FROM now() - d.due_at))), 0)::integer
              AS seconds, bool_or(d.due_at <= now()) AS is_due
            FROM due_crawls AS d
            WHERE d.application_id = a.id AND d.due_at <> 'infinity' AND NOT a.is_paused
          ) AS late
          WHERE a.id > ${decodeCursor(cursor)}
            AND (${applications}::bigint[] IS NULL OR a.id = ANY (${applications}::bigint[]))
          ORDER BY a.id
          LIMIT ${limit + 1}`,
    );
    const { items, next } = toPage(rows, limit);
    return { items: items.map(({ id: _, ...crawls }) => crawls), next };
  }
}
