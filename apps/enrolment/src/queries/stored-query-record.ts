import { type QueryScope, type storedQuerySummary } from '#libs/contracts';
import type * as z from 'zod';
import { readQueryText } from './query-text.ts';

export type StoredQuerySummary = z.output<typeof storedQuerySummary>;

export interface StoredQueryRow {
  readonly id: number;
  readonly name: string;
  readonly query_scope: QueryScope;
  readonly realm_id: number | null;
  readonly provider_application_id: number | null;
  readonly sql: string;
}

export const storedQueryColumns = 'id, name, query_scope, realm_id, provider_application_id, sql';

export const summaryOf = (row: StoredQueryRow): StoredQuerySummary => ({
  ...row,
  parameters: [...readQueryText(row.sql).parameters],
});
