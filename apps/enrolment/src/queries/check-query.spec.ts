import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '@registrar/persistence';
import { useDatabase } from '@registrar/persistence/testing';
import * as z from 'zod';
import { enrolmentSchema } from '../schema.ts';
import { builtInQueries } from './built-in-queries.ts';
import { CheckQuery } from './check-query.ts';
import { withDatabaseSettings } from './database-settings.fixture.ts';
import { parseQueryText } from './query-text.ts';

describe('the check of a stored query', () => {
  const database = useDatabase(enrolmentSchema);

  beforeAll(async () => {
    await database().execute(sql`CREATE SCHEMA secrets`);
    await database().execute(sql`CREATE TABLE secrets.keys (key text)`);
    await database().execute(
      sql`CREATE FUNCTION public.reveal() RETURNS bigint IMMUTABLE LANGUAGE sql
          AS 'SELECT count(*) FROM secrets.keys'`,
    );
  });

  const check = async (text: string, on = database()) =>
    new CheckQuery(on).check(parseQueryText(text));

  it.each(builtInQueries.map((query) => [query.name, query.sql]))('accepts %s', async (_, text) => {
    await check(text);
  });

  it.each([
    [`SELECT course_guid, custom ->> :key AS value FROM registrations WHERE created_at > :since`],
    [
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n`,
    ],
    [
      `SELECT r.course_guid, row_number() OVER (ORDER BY count(*)) AS place, json_agg(c.title) AS titles
      FROM registrations AS r LEFT JOIN LATERAL (SELECT * FROM courses WHERE course_guid = r.course_guid)
        AS c ON true
      WHERE learner_id ~ :pattern AND course_title ILIKE '%' || :text || '%'
      GROUP BY r.course_guid`,
    ],
    [
      `SELECT to_char(date_trunc('month', created_at), 'YYYY-MM') AS month, extract(dow FROM now()) AS day
      FROM reports.registrations LIMIT :count`,
    ],
    ['SELECT :a AS a'],
    [`SELECT current_date AS day, current_timestamp AS now, localtime AS time`],
    [
      `SELECT regexp_replace(title, 'a', 'b') AS a, to_tsvector('english', title)::text AS b FROM courses`,
    ],
    [
      `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY score) AS median FROM registrations -- :end`,
    ],
  ])('accepts a query over the views: %s', async (text) => {
    await check(text);
  });

  it.each([
    ['SELECT * FROM enrolment.registrations', 'relation'],
    ['SELECT key FROM secrets.keys', 'relation'],
    ['SELECT 1 AS a WHERE EXISTS (SELECT FROM secrets.keys)', 'relation'],
    [
      'SELECT (SELECT count(*) FROM (WITH x AS (SELECT * FROM secrets.keys) SELECT * FROM x) y) AS n',
      'relation',
    ],
    ['SELECT title FROM courses UNION ALL SELECT key FROM secrets.keys', 'relation'],
    ['SELECT title FROM courses ORDER BY (SELECT max(key) FROM secrets.keys)', 'relation'],
    ['SELECT rolname FROM pg_authid', 'relation'],
    ['SELECT relname FROM pg_catalog.pg_class', 'relation'],
    ['SELECT table_name FROM information_schema.tables', 'relation'],
    ['SELECT usename FROM pg_stat_activity', 'relation'],
    ['SELECT sql FROM enrolment.stored_queries', 'relation'],
    ['SELECT registration_guid FROM enrolment.reached_registrations', 'relation'],
    ['SELECT sql FROM stored_queries', 'does not exist'],
    [`SELECT set_config('registrar.applications', '{1,2,3}', true) AS a`, 'function set_config'],
    [`SELECT current_setting('registrar.applications') AS a`, 'function current_setting'],
    [`SELECT a FROM set_config('registrar.applications', '{3}', true) AS a`, 'function set_config'],
    [`SELECT 1 AS a ORDER BY set_config('role', 'none', true)`, 'function set_config'],
    [
      `SELECT title FROM courses WHERE title = set_config('search_path', 'secrets', true)`,
      'function set_config',
    ],
    [`SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) AS n FROM courses`, 'function pg_sleep'],
    [`SELECT pg_read_file('/etc/passwd') AS a`, 'function pg_read_file'],
    [`SELECT pg_ls_dir AS a FROM pg_ls_dir('.')`, 'function pg_ls_dir'],
    [
      `SELECT query_to_xml('SELECT * FROM secrets.keys', true, true, '') AS a`,
      'function query_to_xml',
    ],
    [`SELECT table_to_xml('secrets.keys', true, true, '') AS a`, 'function table_to_xml'],
    [`SELECT word FROM ts_stat('SELECT to_tsvector(key) FROM secrets.keys')`, 'function ts_stat'],
    [`SELECT lo_import('/etc/passwd') AS a`, 'function lo_import'],
    [`SELECT pg_terminate_backend(1) AS a`, 'function pg_terminate_backend'],
    [`SELECT pg_try_advisory_lock(1) AS a`, 'function pg_try_advisory_lock'],
    [`SELECT nextval('enrolment.stored_queries_id_seq') AS a`, 'function nextval'],
    ['SELECT public.reveal() AS a', 'function public.reveal'],
    ['SELECT reveal() AS a', 'does not exist'],
    [`SELECT 'enrolment.stored_queries'::regclass IS NULL AS a`, 'type regclass'],
    [`SELECT course_guid::regclass::text AS a FROM courses`, 'type regclass'],
    [`SELECT 1259::oid::regclass::text AS a`, 'type regclass'],
    [`SELECT ARRAY['pg_catalog']::regnamespace[] IS NULL AS a`, 'type regnamespace'],
    [`SELECT course_guid::regrole::oid AS a FROM courses`, 'type regrole'],
    [`SELECT to_regclass('enrolment.registrations') IS NULL AS a`, 'function to_regclass'],
    [`SELECT to_regtype(course_guid) IS NULL AS a FROM courses`, 'function to_regtype'],
    [`SELECT title FROM courses ORDER BY title::regproc`, 'type regproc'],
    [
      `SELECT count(*) AS n FROM json_to_record('{"x":"pg_authid"}') AS t(x regclass)`,
      'type regclass',
    ],
    [
      `SELECT count(*) AS n FROM ROWS FROM (json_to_recordset('[{}]') AS (a text, b regrole[])) AS t`,
      'type regrole[]',
    ],
    [
      `SELECT count(*) AS n FROM xmltable('/a' PASSING ('<a>x</a>'::xml) COLUMNS b regproc PATH '.')`,
      'type regproc',
    ],
    [`SELECT acldefault('r', 10)::text AS a`, 'function acldefault'],
    [`SELECT format_type(23, NULL) AS a`, 'function format_type'],
    ['SELECT current_user AS a', 'current user'],
    ['SELECT title FROM courses WHERE session_user::text = :wanted', 'current user'],
    ['SELECT user::text AS a', 'current user'],
    ['SELECT current_role AS a', 'current user'],
    ['SELECT current_catalog AS a', 'current user'],
    ['SELECT current_schema AS a', 'current user'],
    ['SELECT version() AS a', 'function version'],
    ['SELECT getdatabaseencoding() AS a', 'function getdatabaseencoding'],
    ['SELECT random() AS a', 'function random'],
    [
      'WITH gone AS (DELETE FROM enrolment.registrations RETURNING 1) SELECT 1 AS a',
      'data-modifying',
    ],
    ['WITH x AS (SELECT 1) INSERT INTO secrets.keys SELECT 1', 'syntax error'],
    ['SELECT 1 AS a INTO secrets.copy', 'INTO'],
    ['SELECT title FROM courses FOR UPDATE', 'read-only transaction'],
    ['SELECT 1 AS a WITH CHECK OPTION', 'syntax error'],
    ['SELECT 1 AS a; DROP TABLE secrets.keys', 'single statement'],
    [`SELECT 1 AS a $$; DROP TABLE secrets.keys; --$$`, 'syntax error'],
    ['SELECT :a IS NULL AS a', 'data type of parameter'],
    ['SELECT 1', 'column'],
    ['SELECT 1 AS "a-b"', 'column a-b'],
    ['SELECT 1 AS a, 2 AS a', 'more than once'],
    ['SELECT nonsense FROM courses', 'does not exist'],
    ['SELECT 1 / 0 AS a', 'division by zero'],
    [
      'SELECT count(*) AS n FROM generate_series(1, 99999) AS a, generate_series(1, 99999)',
      'too long',
    ],
    [
      'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) AS n FROM n',
      'too long',
    ],
  ])('rejects %s, naming its reason: %s', async (text, reason) => {
    await expect(check(text)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(reason),
    });
  });

  it('rejects a query that needs larger temporary files than its role may have', async () => {
    const text = 'SELECT count(*) AS n FROM generate_series(1, 1e12::bigint)';
    await withDatabaseSettings(database(), { temp_file_limit: '1MB' }, (limited) =>
      expect(check(text, limited)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('larger temporary files'),
      }),
    );
  });

  it('leaves no views and no rows behind', async () => {
    const noColumns = z.object({});
    const views = sql`SELECT FROM pg_class WHERE relname = 'checked_query'`;
    expect(await database().many(noColumns, views)).toEqual([]);
    expect(await database().many(noColumns, sql`SELECT FROM secrets.keys`)).toEqual([]);
  });
});
