import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, type QueryColumn, type QueryScope, runQuery } from '@registrar/contracts';
import { Database, empty, ReportReader, type ReportSource, sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import pLimit from 'p-limit';
import * as z from 'zod';
import { reachedStoredQueries } from '../access-rules.ts';
import { builtInDefaults } from './built-in-queries.ts';
import { toRunFailure } from './query-failures.ts';
import { QueryResults } from './query-results.ts';
import { inQuerySandbox, type ResultPart } from './query-sandbox.ts';
import { parameterValues, parseQueryText, toPositional } from './query-text.ts';

/** How many rows are read at a time: their texts may be long. */
const partSize = 100;

/** The rows that are stored at a time: their number, or fewer of so many characters. */
const batchSize = 1_000;
const batchLength = 1024 * 1024;

/** How many rows a result may have, and characters as JSON (contract/stored-queries#run-limits). */
const maxRows = 1_000_000;
const maxLength = 256 * 1024 * 1024;

/** A run holds two of the pool's ten connections. The limit leaves the others to other requests. */
const maxConcurrentRuns = 2;

const foundQuery = z.object({ sql: z.string(), isBuiltIn: z.boolean() });

/** The scopes to search, the first one first (contract/stored-queries#run-precedence). */
function searchOrder(queryScope: QueryScope | null): QueryScope[] {
  const own: QueryScope[] = ['provider', 'realm'];
  if (queryScope === null) return [...own, 'bright'];
  return queryScope === 'bright' ? ['bright', ...own] : [queryScope];
}

/** Stored query run (contract/stored-queries#run). */
@Controller()
export class RunQuery {
  readonly #limit = pLimit(maxConcurrentRuns);

  constructor(
    private readonly database: Database,
    private readonly results: QueryResults,
    private readonly reports: ReportReader,
  ) {}

  /**
   * Runs a query in a read-only transaction, and stores its rows in other transactions: whatever
   * its text is, it changes nothing (contract/stored-queries#read-only). A standby runs it if the rows may
   * be old; its text, and which queries are in reach, are the primary's.
   */
  @HandleRequest(runQuery)
  async run(input: InputOf<typeof runQuery>): Promise<ReplyOf<typeof runQuery>> {
    const { sql: found, isBuiltIn } = await this.findQuery(input);
    const text = parseQueryText(found);
    const defaults = isBuiltIn ? builtInDefaults(input.name) : {};
    const { ignoreUnknown } = input;
    const values = parameterValues(text, input.parameters, { defaults, ignoreUnknown });
    const query = { text: toPositional(text), values };
    return this.#limit(() => this.store(input, query));
  }

  /** Selects by precedence (contract/stored-queries#run-precedence). */
  private async findQuery({
    scope,
    name,
    queryScope,
    applicationId,
  }: InputOf<typeof runQuery>): Promise<z.output<typeof foundQuery>> {
    const order = searchOrder(queryScope);
    const query = await this.database.maybeOne(
      foundQuery,
      sql`SELECT q.sql, q.query_scope = 'bright' AS "isBuiltIn" FROM stored_queries AS q
          WHERE q.name = ${name} AND ${reachedStoredQueries(scope)}
            AND q.query_scope = ANY (${order})
            ${applicationId === undefined ? empty : sql`AND q.provider_application_id = ${applicationId}`}
          ORDER BY array_position(${order}, q.query_scope), q.provider_application_id
          LIMIT 1`,
    );
    if (!query) throw new Failure('not-found', 'no stored query of that name for this access');
    return query;
  }

  private async store(
    input: InputOf<typeof runQuery>,
    query: { text: string; values: string[] },
  ): Promise<ReplyOf<typeof runQuery>> {
    try {
      const { value, ageSeconds } = await this.reports.read(
        (source) => this.storeFrom(source, input, query),
        input.mayBeOld ?? false,
      );
      return { ...value, ...(ageSeconds !== null && { ageSeconds }) };
    } catch (error) {
      throw toRunFailure(error);
    }
  }

  private async storeFrom(
    { database, check }: ReportSource,
    { scope }: InputOf<typeof runQuery>,
    query: { text: string; values: string[] },
  ): Promise<ReplyOf<typeof runQuery>> {
    const resultId = await this.results.create(scope);
    let columns: QueryColumn[] = [];
    let count = 0;
    await inQuerySandbox(database, { access: 'READ ONLY', scope, check }, async (sandbox) => {
      for await (const batch of batchesOf(sandbox.read(query, partSize))) {
        await this.results.append(scope, resultId, count, batch.rows);
        columns = batch.columns;
        count += batch.rows.length;
      }
    }).catch(async (error: unknown) => {
      await this.results.discard(resultId).catch(() => undefined);
      throw error;
    });
    return { resultId, columns };
  }
}

/**
 * Joins parts of a result into larger ones, the last of which may be empty.
 *
 * @throws {Failure} `invalid` when the result is too large
 */
async function* batchesOf(parts: AsyncIterable<ResultPart>): AsyncGenerator<ResultPart> {
  let count = 0;
  let length = 0;
  let batch: { columns: QueryColumn[]; rows: string[]; length: number } | undefined;
  for await (const { columns, rows } of parts) {
    batch ??= { columns, rows: [], length: 0 };
    const added = rows.reduce((sum, row) => sum + row.length, 0);
    count += rows.length;
    length += added;
    if (count > maxRows) throw new Failure('invalid', `the result has more than ${maxRows} rows`);
    if (length > maxLength) {
      throw new Failure('invalid', `the result has more than ${maxLength} characters`);
    }
    batch.rows.push(...rows);
    batch.length += added;
    if (batch.rows.length < batchSize && batch.length < batchLength) continue;
    yield batch;
    batch = undefined;
  }
  if (batch) yield batch;
}
