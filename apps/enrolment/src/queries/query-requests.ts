import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import {
  dropStoredQuery,
  initializeQueries,
  listStoredQueries,
  putStoredQuery,
  readQueryResult,
  runQuery,
} from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { InitializeQueries } from './initialize-queries.ts';
import { KeepStoredQueries } from './keep-stored-queries.ts';
import { QueryResults } from './query-results.ts';
import { RunQuery } from './run-query.ts';

/** What is asked of stored queries. */
@Controller()
export class QueryRequests {
  constructor(
    private readonly initializeUseCase: InitializeQueries,
    private readonly keepUseCase: KeepStoredQueries,
    private readonly results: QueryResults,
    private readonly runUseCase: RunQuery,
  ) {}

  @HandleRequest(initializeQueries)
  initialize(
    _input: InputOf<typeof initializeQueries>,
  ): Promise<ReplyOf<typeof initializeQueries>> {
    return this.initializeUseCase.run();
  }

  @HandleRequest(runQuery)
  run(input: InputOf<typeof runQuery>): Promise<ReplyOf<typeof runQuery>> {
    return this.runUseCase.run(input);
  }

  @HandleRequest(readQueryResult)
  read(input: InputOf<typeof readQueryResult>): Promise<ReplyOf<typeof readQueryResult>> {
    return this.results.read(input.scope, input);
  }

  @HandleRequest(listStoredQueries)
  list(input: InputOf<typeof listStoredQueries>): Promise<ReplyOf<typeof listStoredQueries>> {
    return this.keepUseCase.list(input);
  }

  @HandleRequest(putStoredQuery)
  put(input: InputOf<typeof putStoredQuery>): Promise<ReplyOf<typeof putStoredQuery>> {
    return this.keepUseCase.put(input);
  }

  @HandleRequest(dropStoredQuery)
  async drop(input: InputOf<typeof dropStoredQuery>): Promise<ReplyOf<typeof dropStoredQuery>> {
    await this.keepUseCase.drop(input);
    return {};
  }
}
