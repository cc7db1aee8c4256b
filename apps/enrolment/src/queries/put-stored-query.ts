import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import {
  enrolmentAudited,
  operatorActor,
  putStoredQuery,
  type QueryScope,
} from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { describeAct } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { CheckQuery } from './check-query.ts';
import { parseQueryText } from './query-text.ts';
import { toStoredQuerySummary } from './stored-query-summary.ts';
import { StoredQuery } from './stored-query.entity.ts';

/** Stores a query of an operator (contract/stored-queries#own-queries). */
@Controller()
export class PutStoredQuery {
  constructor(
    @InjectRepository(StoredQuery) private readonly storedQueries: Repository<StoredQuery>,
    private readonly checkQuery: CheckQuery,
    private readonly database: Database,
    private readonly outbox: Outbox,
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
    return this.database.transaction(async () => {
      const { identifiers } = await this.storedQueries.upsert(
        { ...query, updatedAt: () => 'now()' },
        ['name', 'queryScope', 'realmId', 'providerApplicationId'],
      );
      const { id } = identifiers[0] as Pick<StoredQuery, 'id'>;
      const subject = { stored_query_id: id, name, application_id: applicationId };
      await this.outbox.publish(
        enrolmentAudited,
        describeAct({ action: 'query.stored', actor: operatorActor, realmId, subject }),
      );
      return toStoredQuerySummary({ ...query, id });
    });
  }
}
