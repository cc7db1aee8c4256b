import { Failure } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { checkFault } from './query-fault.ts';
import { positional, type QueryText } from './query-text.ts';
import { readRows } from './read-rows.ts';
import { inReportTransaction } from './report-transaction.ts';

/** How long a check may take: milliseconds. No rows are at hand, so only a fault takes time. */
const time = 3_000;

/**
 * Functions that a query may use: PostgreSQL's own that cannot change anything, without those that
 * tell of the server or read tables by their names.
 */
const allowedFunction = `
  p.pronamespace = 'pg_catalog'::regnamespace AND p.provolatile IN ('i', 's') AND p.proname !~
    '^(pg_|has_|txid_|mxid_|lo_|inet_|(col|obj|shobj)_description$|(table|schema|database)_to_xml|row_security|current_(setting|database|schema)|aclexplode|getpgusername|version$|ts_(debug|parse|token))'`;

/**
 * What a view is made of, as PostgreSQL has understood it: the nodes of its rule name every
 * relation and function by its OID, wherever in the query it stands.
 */
const forbiddenParts = `
  WITH rule AS (
    SELECT ev_class, ev_action::text AS nodes FROM pg_rewrite
    WHERE ev_class = 'pg_temp.checked_query'::regclass
  ), relations AS (
    SELECT DISTINCT found[1]::oid AS id
    FROM rule, regexp_matches(nodes, ':relid (\\d+)', 'g') AS found
    WHERE found[1]::oid NOT IN (0, ev_class)
  ), functions AS (
    SELECT DISTINCT found[1]::oid AS id
    FROM rule,
      regexp_matches(nodes, ':(?:funcid|opfuncid|aggfnoid|winfnoid) (\\d+)', 'g') AS found
    WHERE found[1]::oid <> 0
  )
  SELECT 'the relation ' || id::regclass AS part
  FROM relations
  WHERE NOT EXISTS (
    SELECT FROM pg_class AS c
    WHERE c.oid = id AND c.relkind = 'v' AND c.relnamespace = 'reports'::regnamespace
  )
  UNION ALL
  SELECT 'the function ' || id::regprocedure
  FROM functions
  WHERE NOT EXISTS (SELECT FROM pg_proc AS p WHERE p.oid = id AND ${allowedFunction})`;

/** Lets only such queries be stored as read the documented views, and nothing but them. */
@Injectable()
export class CheckQuery {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `invalid`, with the reason */
  async run(text: QueryText): Promise<void> {
    try {
      await inReportTransaction(
        this.database,
        { access: 'READ WRITE', scope: null, time },
        async (client) => checkParts(client, text),
      );
      await inReportTransaction(
        this.database,
        { access: 'READ ONLY', scope: null, time },
        (client) => tryQuery(client, text),
      );
    } catch (error) {
      throw checkFault(error);
    }
  }
}

/** Has the query understood as a view, which is undone with the transaction. Nothing is run. */
async function checkParts(client: pg.PoolClient, text: QueryText): Promise<void> {
  const types = await parameterTypes(client, text);
  const typed = text.render((index) => `(NULL::${types[index]})`);
  await one(client, `CREATE TEMPORARY VIEW checked_query AS\n${typed}\n`);
  const { rows } = await client.query<{ part: string }>(forbiddenParts);
  const parts = rows.map((row) => row.part);
  if (parts.length > 0) throw new Failure('invalid', `a query may not use ${parts.join(', ')}`);
}

/** The types that PostgreSQL finds for the parameters, from where they stand. */
async function parameterTypes(client: pg.PoolClient, text: QueryText): Promise<string[]> {
  await one(client, `PREPARE checked_query AS\n${positional(text)}\n`);
  try {
    const { rows } = await client.query<{ types: string[] }>(
      `SELECT parameter_types::text[] AS types FROM pg_prepared_statements
       WHERE name = 'checked_query'`,
    );
    return rows[0]?.types ?? [];
  } finally {
    // It would outlive the transaction.
    await client.query('DEALLOCATE checked_query');
  }
}

/** Runs text that the extended protocol takes for one statement, or refuses. */
async function one(client: pg.PoolClient, sql: string): Promise<void> {
  const query: pg.QueryConfig & { queryMode: 'extended' } = { text: sql, queryMode: 'extended' };
  await client.query(query);
}

/** Runs the query where the views are empty, for what only shows then. */
async function tryQuery(client: pg.PoolClient, text: QueryText): Promise<void> {
  const query = { text: positional(text), values: text.parameters.map(() => null) };
  for await (const { columns } of readRows(client, query, 1)) {
    const nameless = columns.find(({ name }) => !/^[A-Za-z_]\w*$/.test(name));
    if (nameless) {
      throw new Failure(
        'invalid',
        `the column ${nameless.name} needs a name of letters, digits and _: write AS name`,
      );
    }
    return;
  }
}
