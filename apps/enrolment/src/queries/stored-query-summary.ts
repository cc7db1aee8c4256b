import { type storedQuerySummary } from '@registrar/contracts';
import type * as z from 'zod';
import { parseQueryText } from './query-text.ts';
import { type StoredQuery } from './stored-query.entity.ts';

/** A stored query in the form in which operators see it. */
export const toStoredQuerySummary = (
  query: Omit<StoredQuery, 'createdAt' | 'updatedAt'>,
): z.output<typeof storedQuerySummary> => ({
  id: query.id,
  name: query.name,
  query_scope: query.queryScope,
  realm_id: query.realmId,
  provider_application_id: query.providerApplicationId,
  sql: query.sql,
  parameters: [...parseQueryText(query.sql).parameters],
});
