import type { StartedApp } from '@registrar/bootstrap';
import { type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  putStoredQuery,
  type QueryColumn,
  type QueryScope,
  readQueryResult,
  runQuery,
  type storedQuerySummary,
} from '@registrar/contracts';
import { raw, sql } from '@registrar/persistence';
import * as z from 'zod';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { type EnrolmentSettings } from '../settings.ts';

/** The scope of a realm pair of realm 2, which has the provider application 3 only. */
export const realmTwo = { ...scopeOf({ applicationIds: [3] }), realmId: 2, wholeRealm: true };

type Row = z.output<(typeof readQueryResult)['item']>;

/**
 * Starts the enrolment app, and returns requests about stored queries.
 *
 * @param addressOf the address by which the app reaches its database
 */
export async function startQueriesFixture(
  settings: Partial<EnrolmentSettings> = {},
  addressOf?: (databaseUrl: string) => string,
) {
  const enrolment: EnrolmentFixture = await startEnrolmentFixture(settings, addressOf);
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
    parts: {
      scope?: AccessScope;
      queryScope?: QueryScope;
      applicationId?: number;
      ignoreUnknown?: boolean;
      mayBeOld?: boolean;
    } = {},
  ): Promise<ReplyOf<typeof runQuery>> => {
    const { scope = scopeOf(), queryScope = null, ignoreUnknown = false, ...rest } = parts;
    return bus.request(runQuery, { scope, name, queryScope, parameters, ignoreUnknown, ...rest });
  };
  const read = async (resultId: string, scope: AccessScope = scopeOf(), pageSize?: number) => {
    const pages: Row[][] = [];
    for await (const { items: page } of bus.pages(readQueryResult, { scope, resultId }, pageSize)) {
      pages.push(page);
    }
    return pages;
  };
  return {
    ...enrolment,
    put,
    start,
    read,
    /** Runs a query and reads its whole result. */
    async run(
      ...request: Parameters<typeof start>
    ): Promise<{ columns: QueryColumn[]; rows: Row[]; ageSeconds?: number | undefined }> {
      const { resultId, ...reply } = await start(...request);
      return { ...reply, rows: (await read(resultId, request[2]?.scope)).flat() };
    },

    /** Uses a replica whose statements may write 1 MB of temporary files. */
    async withFewTemporaryFiles(use: (replica: StartedApp) => Promise<void>): Promise<void> {
      const { name } = await enrolment.database.one(
        z.object({ name: z.string() }),
        sql`SELECT current_database() AS name`,
      );
      const alter = raw(`ALTER DATABASE ${name}`);
      await enrolment.database.execute(sql`${alter} SET temp_file_limit = '1MB'`);
      try {
        // Only connections that are opened meanwhile have the limit.
        await use(await enrolment.addReplica());
      } finally {
        await enrolment.database.execute(sql`${alter} RESET temp_file_limit`);
      }
    },
  };
}
export type QueriesFixture = Awaited<ReturnType<typeof startQueriesFixture>>;
