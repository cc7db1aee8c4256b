import { Module } from '@nestjs/common';
import { CheckQuery } from './check-query.ts';
import { InitializeQueries } from './initialize-queries.ts';
import { ManageStoredQueries } from './manage-stored-queries.ts';
import { QueryResults, ReadQueryResult } from './query-results.ts';
import { RunQuery } from './run-query.ts';

@Module({
  controllers: [InitializeQueries, ManageStoredQueries, ReadQueryResult, RunQuery],
  providers: [CheckQuery, QueryResults],
})
export class QueriesModule {}
