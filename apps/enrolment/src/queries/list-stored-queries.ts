import { HandleRequest, type InputOf, type ReplyOf } from '@registrar/bus';
import { listStoredQueries } from '@registrar/contracts';
import { decodeCursor, toPage } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { MoreThan, type Repository } from 'typeorm';
import { toStoredQuerySummary } from './stored-query-summary.ts';
import { StoredQuery } from './stored-query.entity.ts';

/** Texts of queries are long: a page of more would not fit into a message of the bus. */
const maxQueries = 100;

/** Lists the stored queries of all realms for the installation's operator. */
@Controller()
export class ListStoredQueries {
  constructor(
    @InjectRepository(StoredQuery) private readonly storedQueries: Repository<StoredQuery>,
  ) {}

  @HandleRequest(listStoredQueries)
  async list({
    cursor,
    limit,
  }: InputOf<typeof listStoredQueries>): Promise<ReplyOf<typeof listStoredQueries>> {
    const size = Math.min(limit, maxQueries);
    const queries = await this.storedQueries.find({
      where: { id: MoreThan(decodeCursor(cursor)) },
      order: { id: 'ASC' },
      take: size + 1,
    });
    const page = toPage(queries, size);
    return { items: page.items.map(toStoredQuerySummary), next: page.next };
  }
}
