import { type Sql, sql } from '@registrar/persistence';

/**
 * The assignments of an UPDATE that deletes registrations for good. The deletion's sequence is
 * higher than that of any crawl, so that no result restores them. One that waits for its creation at
 * the provider is never created there.
 */
export const deletion: Sql = sql`
  deletion_sequence = ${Number.MAX_SAFE_INTEGER}, initialize_after = NULL,
  provider_state = CASE provider_state WHEN 'waiting' THEN 'local' ELSE provider_state END,
  updated_at = now()`;
