import { HandleRequest, type InputOf, Outbox, type ReplyOf } from '@registrar/bus';
import { dropStoredQuery, enrolmentAudited, Failure, operatorActor } from '@registrar/contracts';
import { Database } from '@registrar/persistence';
import { describeAct } from '@registrar/platform';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { StoredQuery } from './stored-query.entity.ts';

/** Drops a stored query of an operator. */
@Controller()
export class DropStoredQuery {
  constructor(
    @InjectRepository(StoredQuery) private readonly storedQueries: Repository<StoredQuery>,
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {}

  /** @throws {Failure} `not-found`; `invalid` for a built-in query */
  @HandleRequest(dropStoredQuery)
  async drop({
    storedQueryId: id,
  }: InputOf<typeof dropStoredQuery>): Promise<ReplyOf<typeof dropStoredQuery>> {
    return this.database.transaction(async () => {
      const query = await this.storedQueries.findOneBy({ id });
      if (!query) throw new Failure('not-found', `no stored query ${id}`);
      const { name, queryScope, realmId } = query;
      if (queryScope === 'bright') {
        throw new Failure('invalid', 'built-in queries cannot be dropped');
      }
      await this.storedQueries.delete({ id });
      const subject = { stored_query_id: id, name };
      await this.outbox.publish(
        enrolmentAudited,
        describeAct({ action: 'query.deleted', actor: operatorActor, realmId, subject }),
      );
      return {};
    });
  }
}
