import { type InputOf, type ReplyOf } from '#libs/bus';
import { Failure, type QueryColumn, type runQuery } from '#libs/contracts';
import { Database } from '#libs/persistence';
import { Injectable } from '@nestjs/common';
import { runFault } from './query-fault.ts';
import { QueryResults } from './query-results.ts';
import { parameterValues, positional, readQueryText } from './query-text.ts';
import { readRows } from './read-rows.ts';
import { inReportTransaction } from './report-transaction.ts';
import { Turns } from './turns.ts';

/** Rows in memory at a time, and in a result at most. */
const batchSize = 1_000;
const resultLimit = 1_000_000;

/** Each run holds two of the pool's ten connections: those of other requests stay free. */
const runsAtOnce = 2;

/** Stored query: run (api-v2.md; decision 27). */
@Injectable()
export class RunQuery {
  readonly #turns = new Turns(runsAtOnce);

  constructor(
    private readonly database: Database,
    private readonly results: QueryResults,
  ) {}

  /**
   * The query runs in a transaction that can only read, while its rows are written in others: so
   * nothing that a query holds can change anything, whatever it is made of.
   */
  async run(input: InputOf<typeof runQuery>): Promise<ReplyOf<typeof runQuery>> {
    const text = readQueryText(await this.find(input));
    const query = { text: positional(text), values: parameterValues(text, input.parameters) };
    return this.#turns.run(() => this.keep(input, query));
  }

  /** The most special one of the name: a provider application's, the realm's, the built-in one. */
  private async find({ scope, name, queryScope }: InputOf<typeof runQuery>): Promise<string> {
    const [found] = await this.database.query<{ sql: string }>(
      `SELECT sql FROM stored_queries
       WHERE name = $1 AND ($2::text IS NULL OR query_scope = $2)
         AND (
           query_scope = 'bright'
           OR realm_id = $3 AND (query_scope = 'realm' OR provider_application_id = ANY ($4))
         )
       ORDER BY array_position(ARRAY['provider', 'realm', 'bright'], query_scope),
         provider_application_id
       LIMIT 1`,
      [name, queryScope, scope.realmId, scope.applicationIds],
    );
    if (!found) throw new Failure('not-found', 'no stored query of that name for this access');
    return found.sql;
  }

  private async keep(
    { scope }: InputOf<typeof runQuery>,
    query: { text: string; values: string[] },
  ): Promise<ReplyOf<typeof runQuery>> {
    const resultId = await this.results.begin(scope);
    let columns: QueryColumn[] = [];
    let count = 0;
    await inReportTransaction(this.database, { access: 'READ ONLY', scope }, async (client) => {
      for await (const part of readRows(client, query, batchSize)) {
        if (count + part.rows.length > resultLimit) {
          throw new Failure('invalid', `the result has more than ${resultLimit} rows`);
        }
        await this.results.append(resultId, count, part.rows);
        columns = part.columns;
        count += part.rows.length;
      }
    }).catch((error: unknown) => {
      throw runFault(error);
    });
    return { resultId, columns };
  }
}
