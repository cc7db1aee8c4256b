import { Module } from '@nestjs/common';
import { CheckQuery } from './check-query.ts';
import { DeleteStoredQuery } from './delete-stored-query.ts';
import { InitializeQueries } from './initialize-queries.ts';
import { ManageStoredQueries } from './manage-stored-queries.ts';
import { QueryResults } from './query-results.ts';
import { ReadQueryResult } from './read-query-result.ts';
import { RunQuery } from './run-query.ts';

@Module({
  controllers: [
    DeleteStoredQuery,
    InitializeQueries,
    ManageStoredQueries,
    ReadQueryResult,
    RunQuery,
  ],
  providers: [CheckQuery, QueryResults],
})
export class QueriesModule {}
