import { sql, type Sql } from '@registrar/persistence';

/** No transaction that creates a registration takes as long: its statements have deadlines of minutes. */
const longestTransaction = sql`interval '1 hour'`;

/**
 * SQL of an id below which no registration of the application `a.application` was created since a time, and above
 * which nearly all were.
 *
 * Ids rise with the time at which they were drawn, which is at most a transaction later than `created_at`. So a row
 * that is older than the time by {@link longestTransaction} shows that all smaller ids are older too. The largest such id is
 * found by halving the range of ids, with a look-up for each step, which needs no index on `created_at`.
 */
export const firstIdSince = (time: string): Sql => sql`(
  WITH RECURSIVE ranges (low, high) AS (
    SELECT 0::bigint, (
      SELECT max(n.id) FROM registrations AS n WHERE n.provider_application_id = a.application
    )
    UNION ALL
    SELECT CASE WHEN middle.older THEN middle.id ELSE ranges.low END,
           CASE WHEN middle.older THEN ranges.high ELSE (ranges.low + ranges.high) / 2 END
    FROM ranges
    CROSS JOIN LATERAL (
      SELECT n.id, n.created_at < ${time}::timestamptz - ${longestTransaction} AS older
      FROM registrations AS n
      WHERE n.provider_application_id = a.application AND n.id > (ranges.low + ranges.high) / 2
      ORDER BY n.id
      LIMIT 1
    ) AS middle
    WHERE ranges.low < ranges.high
  )
  SELECT max(low) FROM ranges
)`;
