import { type ReplyOf } from '#libs/bus';
import {
  type AccessScope,
  putStoredQuery,
  type QueryColumn,
  type QueryScope,
  readQueryResult,
  runQuery,
  type storedQuerySummary,
} from '#libs/contracts';
import type * as z from 'zod';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

/** The scope of a realm pair of realm 2, whose only provider application is 3. */
export const realmTwo = { ...scopeOf({ applicationIds: [3] }), realmId: 2, wholeRealm: true };

type Row = z.output<(typeof readQueryResult)['item']>;

/** The enrolment app with some ways to ask for stored queries. */
export async function startQueriesFixture() {
  const enrolment: EnrolmentFixture = await startEnrolmentFixture();
  const { bus } = enrolment;

  const put = (
    name: string,
    sql: string,
    owner: { realmId?: number; applicationId?: number } = {},
  ): Promise<z.output<typeof storedQuerySummary>> =>
    bus.request(putStoredQuery, {
      name,
      sql,
      realmId: owner.realmId ?? 1,
      applicationId: owner.applicationId ?? null,
    });
  const start = (
    name: string,
    parameters: Record<string, string> = {},
    parts: { scope?: AccessScope; queryScope?: QueryScope } = {},
  ): Promise<ReplyOf<typeof runQuery>> => {
    const { scope = scopeOf(), queryScope = null } = parts;
    return bus.request(runQuery, { scope, name, queryScope, parameters });
  };
  const read = async (resultId: string, scope: AccessScope = scopeOf(), pageSize?: number) => {
    const pages: Row[][] = [];
    for await (const page of bus.pages(readQueryResult, { scope, resultId }, pageSize)) {
      pages.push(page);
    }
    return pages;
  };
  return {
    ...enrolment,
    put,
    start,
    read,
    /** A query's whole answer. */
    async run(
      ...asked: Parameters<typeof start>
    ): Promise<{ columns: QueryColumn[]; rows: Row[] }> {
      const { resultId, columns } = await start(...asked);
      return { columns, rows: (await read(resultId, asked[2]?.scope)).flat() };
    },
  };
}
export type QueriesFixture = Awaited<ReturnType<typeof startQueriesFixture>>;
