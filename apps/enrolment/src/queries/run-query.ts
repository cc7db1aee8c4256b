import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { Failure, type QueryColumn, runQuery } from '@registrar/contracts';
import { Database, empty, sql } from '@registrar/persistence';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import * as z from 'zod';
import { reachedStoredQueries } from '../access-rules.ts';
import { toRunFailure } from './query-failures.ts';
import { QueryResults } from './query-results.ts';
import { inQuerySandbox } from './query-sandbox.ts';
import { parameterValues, parseQueryText, toPositional } from './query-text.ts';

/** How many rows are in memory at a time. */
const batchSize = 1_000;

/** How many rows a result may have (docs/queries.md). */
const maxRows = 1_000_000;

/** A run holds two of the pool's ten connections. The limit leaves the others to other requests. */
const maxConcurrentRuns = 2;

/** Stored query run (contract/stored-queries#run). */
@Injectable()
export class RunQuery {
  readonly #limit = pLimit(maxConcurrentRuns);

  constructor(
    private readonly database: Database,
    private readonly results: QueryResults,
  ) {}

  /**
   * Runs a query in a read-only transaction, and stores its rows in other transactions: whatever
   * its text is, it changes nothing (contract/stored-queries#read-only).
   */
  @HandleRequest(runQuery)
  async run(input: InputOf<typeof runQuery>): Promise<ReplyOf<typeof runQuery>> {
    const text = parseQueryText(await this.findText(input));
    const query = { text: toPositional(text), values: parameterValues(text, input.parameters) };
    return this.#limit(() => this.store(input, query));
  }

  /** Selects by precedence (contract/stored-queries#run-precedence). */
  private async findText({ scope, name, queryScope }: InputOf<typeof runQuery>): Promise<string> {
    const query = await this.database.maybeOne(
      z.object({ sql: z.string() }),
      sql`SELECT q.sql FROM stored_queries AS q
          WHERE q.name = ${name} AND ${reachedStoredQueries(scope)}
            ${queryScope === null ? empty : sql`AND q.query_scope = ${queryScope}`}
          ORDER BY array_position(ARRAY['provider', 'realm', 'bright'], q.query_scope),
            q.provider_application_id
          LIMIT 1`,
    );
    if (!query) throw new Failure('not-found', 'no stored query of that name for this access');
    return query.sql;
  }

  private async store(
    { scope }: InputOf<typeof runQuery>,
    query: { text: string; values: string[] },
  ): Promise<ReplyOf<typeof runQuery>> {
    const resultId = await this.results.create(scope);
    let columns: QueryColumn[] = [];
    let count = 0;
    await inQuerySandbox(this.database, { access: 'READ ONLY', scope }, async (sandbox) => {
      for await (const part of sandbox.read(query, batchSize)) {
        if (count + part.rows.length > maxRows) {
          throw new Failure('invalid', `the result has more than ${maxRows} rows`);
        }
        await this.results.append(resultId, count, part.rows);
        columns = part.columns;
        count += part.rows.length;
      }
    }).catch((error: unknown) => {
      throw toRunFailure(error);
    });
    return { resultId, columns };
  }
}
