import { Failure } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import * as z from 'zod';
import { toCheckFailure, toPlacedFailure } from './query-failures.ts';
import { inQuerySandbox, type QuerySandbox } from './query-sandbox.ts';
import { type Placeholder, positional, type QueryText, toPositional } from './query-text.ts';

/** The time-out of a check. The views are empty, so that only a defective query takes time. */
const checkTimeoutMs = 3_000;

/**
 * Condition on `pg_proc AS p` for the functions that a query may use: PostgreSQL's own functions
 * without side effects, except for those that reveal facts about the server or read tables by name.
 */
const isAllowedFunction = sql`
  p.pronamespace = 'pg_catalog'::regnamespace AND p.provolatile IN ('i', 's') AND p.proname !~
    '^(pg_|has_|txid_|mxid_|lo_|inet_|(col|obj|shobj)_description$|(table|schema|database)_to_xml|row_security|current_(setting|database|schema)|acl|makeacl|getpgusername|getdatabaseencoding|(icu_)?(unicode_)?version$|format_type|(to_)?reg(class|proc|oper|type|role|namespace|collation)|ts_(debug|parse|token))'`;

/**
 * Condition on `pg_type AS t` for the types whose texts are names of the server's own objects, such
 * as `regclass`: a cast to them reveals which ones exist. Text search configurations may be named.
 */
const isForbiddenType = sql`
  t.typnamespace = 'pg_catalog'::regnamespace AND t.typname ~ '^_?(reg|acl|pg_)'
  AND t.typname !~ '^_?reg(config|dictionary)$'`;

/**
 * The first of `SQLValueFunctionOp` (PostgreSQL, primnodes.h) that reveals the role, the database or
 * the schema: current_role, current_user, user, session_user, current_catalog, current_schema. The
 * ones before it are times.
 */
const firstForbiddenValue = 9;

/**
 * Finds the relations, functions and types of the view `checked_query` that a query may not use. The
 * parse tree in the view's rule names each of them by OID, wherever it stands.
 */
const selectForbiddenParts = sql`
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
  ), types AS (
    SELECT DISTINCT found[1]::oid AS id
    FROM rule, regexp_matches(nodes, ':\\w*typ(?:e|id|eid) (\\d+)', 'gi') AS found
    UNION
    -- The columns of functions and of XMLTABLE, whether they are read or not.
    SELECT listed::oid
    FROM rule, regexp_matches(nodes, ':\\w*types \\(o ([\\d ]+)\\)', 'g') AS found,
      regexp_split_to_table(found[1], ' ') AS listed
  ), current_values AS (
    SELECT FROM rule, regexp_matches(nodes, '\\{SQLVALUEFUNCTION :op (\\d+)', 'g') AS found
    WHERE found[1]::integer >= ${firstForbiddenValue}
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
  WHERE NOT EXISTS (SELECT FROM pg_proc AS p WHERE p.oid = id AND ${isAllowedFunction})
  UNION ALL
  SELECT 'the type ' || format_type(t.oid, NULL)
  FROM pg_type AS t JOIN types ON types.id = t.oid
  WHERE ${isForbiddenType}
  UNION ALL
  SELECT DISTINCT 'the current user, database or schema' FROM current_values`;

/** Checks that a query reads the documented views only (contract/stored-queries#read-only). */
@Injectable()
export class CheckQuery {
  constructor(private readonly database: Database) {}

  /** @throws {Failure} `invalid` with the reason: a `QueryFault` where its place is known */
  async check(text: QueryText): Promise<void> {
    const options = { scope: null, timeoutMs: checkTimeoutMs };
    try {
      // Stryker disable next-line StringLiteral: a transaction without a mode may write too
      const writable = { ...options, access: 'READ WRITE' } as const;
      await inQuerySandbox(this.database, writable, (sandbox) => checkParts(sandbox, text));
      await inQuerySandbox(this.database, { ...options, access: 'READ ONLY' }, (sandbox) =>
        runOnEmptyViews(sandbox, text),
      );
    } catch (error) {
      throw toCheckFailure(error);
    }
  }
}

/** Has PostgreSQL parse the query as a temporary view, without running it. */
async function checkParts(sandbox: QuerySandbox, text: QueryText): Promise<void> {
  const types = await parameterTypes(sandbox, text);
  await execute(
    sandbox,
    'CREATE TEMPORARY VIEW checked_query AS\n',
    text,
    (index) => `(NULL::${types[index]})`,
  );
  const forbidden = await sandbox.many(z.object({ part: z.string() }), selectForbiddenParts);
  if (forbidden.length > 0) {
    throw new Failure(
      'invalid',
      `a query may not use ${forbidden.map(({ part }) => part).join(', ')}`,
    );
  }
}

/**
 * Executes a statement that begins with `before` and ends with a query.
 *
 * @throws {QueryFault} for an error whose place in the query PostgreSQL names
 */
async function execute(
  sandbox: QuerySandbox,
  before: string,
  text: QueryText,
  placeholder: Placeholder,
): Promise<void> {
  try {
    await sandbox.execute(`${before}${text.render(placeholder)}\n`);
  } catch (error) {
    throw toPlacedFailure(error, before, text, placeholder);
  }
}

/** Returns the types that PostgreSQL infers for the parameters. */
async function parameterTypes(sandbox: QuerySandbox, text: QueryText): Promise<string[]> {
  await execute(sandbox, 'PREPARE checked_query AS\n', text, positional);
  try {
    const prepared = await sandbox.many(
      z.object({ types: z.array(z.string()) }),
      sql`SELECT parameter_types::text[] AS types FROM pg_prepared_statements
          WHERE name = 'checked_query'`,
    );
    return prepared.flatMap(({ types }) => types);
  } finally {
    // A prepared statement outlives its transaction.
    await sandbox.execute('DEALLOCATE checked_query');
  }
}

/** Finds the errors that only a run shows, and columns without a usable name. */
async function runOnEmptyViews(sandbox: QuerySandbox, text: QueryText): Promise<void> {
  // Stryker disable next-line ArrowFunction: pg sends undefined as null
  const query = { text: toPositional(text), values: text.parameters.map(() => null) };
  for await (const { columns } of sandbox.read(query, 1)) {
    const unnamed = columns.find(({ name }) => !/^[A-Za-z_]\w*$/.test(name));
    if (unnamed) {
      throw new Failure(
        'invalid',
        `the column ${unnamed.name} needs a name of letters, digits and _: write AS name`,
      );
    }
    return;
  }
}
