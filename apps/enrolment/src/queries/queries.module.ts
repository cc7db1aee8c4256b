import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CheckQuery } from './check-query.ts';
import { DeleteStoredQuery } from './delete-stored-query.ts';
import { DropStoredQuery } from './drop-stored-query.ts';
import { InitializeQueries } from './initialize-queries.ts';
import { ListStoredQueries } from './list-stored-queries.ts';
import { PutStoredQuery } from './put-stored-query.ts';
import { QueryResults } from './query-results.ts';
import { ReadQueryResult } from './read-query-result.ts';
import { RunQuery } from './run-query.ts';
import { StoredQuery } from './stored-query.entity.ts';

@Module({
  imports: [TypeOrmModule.forFeature([StoredQuery])],
  controllers: [
    DeleteStoredQuery,
    DropStoredQuery,
    InitializeQueries,
    ListStoredQueries,
    PutStoredQuery,
    ReadQueryResult,
    RunQuery,
  ],
  providers: [CheckQuery, QueryResults],
})
export class QueriesModule {}
