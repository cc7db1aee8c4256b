import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { putStoredQuery, type QueryScope } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { CheckQuery } from './check-query.ts';
import { parseQueryText } from './query-text.ts';
import { toStoredQuerySummary } from './stored-query-summary.ts';
import { StoredQuery } from './stored-query.entity.ts';

/** Stores a query of an operator (contract/stored-queries#own-queries). */
@Injectable()
export class PutStoredQuery {
  constructor(
    @InjectRepository(StoredQuery) private readonly storedQueries: Repository<StoredQuery>,
    private readonly checkQuery: CheckQuery,
  ) {}

  /**
   * Replaces the query of the same name and scope.
   *
   * @throws {Failure} `invalid` for a query that {@link CheckQuery} rejects
   */
  @HandleRequest(putStoredQuery)
  async put(input: InputOf<typeof putStoredQuery>): Promise<ReplyOf<typeof putStoredQuery>> {
    const { name, realmId, applicationId, sql } = input;
    await this.checkQuery.check(parseQueryText(sql));
    const queryScope: QueryScope = applicationId === null ? 'realm' : 'provider';
    const query = { name, queryScope, realmId, providerApplicationId: applicationId, sql };
    const { identifiers } = await this.storedQueries.upsert(
      { ...query, updatedAt: () => 'now()' },
      ['name', 'queryScope', 'realmId', 'providerApplicationId'],
    );
    const [identifier] = identifiers;
    return toStoredQuerySummary({ ...query, id: (identifier as Pick<StoredQuery, 'id'>).id });
  }
}
