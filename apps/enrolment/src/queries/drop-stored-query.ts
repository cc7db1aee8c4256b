import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { dropStoredQuery, Failure } from '@registrar/contracts';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { StoredQuery } from './stored-query.entity.ts';

/** Drops a stored query of an operator. */
@Injectable()
export class DropStoredQuery {
  constructor(
    @InjectRepository(StoredQuery) private readonly storedQueries: Repository<StoredQuery>,
  ) {}

  /** @throws {Failure} `not-found`; `invalid` for a built-in query */
  @HandleRequest(dropStoredQuery)
  async drop({
    storedQueryId: id,
  }: InputOf<typeof dropStoredQuery>): Promise<ReplyOf<typeof dropStoredQuery>> {
    const query = await this.storedQueries.findOneBy({ id });
    if (!query) throw new Failure('not-found', `no stored query ${id}`);
    if (query.queryScope === 'bright') {
      throw new Failure('invalid', 'built-in queries cannot be dropped');
    }
    await this.storedQueries.delete({ id });
    return {};
  }
}
