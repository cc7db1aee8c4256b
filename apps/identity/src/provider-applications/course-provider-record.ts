import { courseProviderRecord, toTimestamp } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';

/** A row of {@link courseProviderColumns}. */
export const courseProviderRow = courseProviderRecord.extend({
  created_at: z.date(),
  updated_at: z.date(),
});

/** The columns of a course provider record, from `provider_applications AS a`. None is secret. */
export const courseProviderColumns = sql`a.id, a.name, a.app_id AS sc_app_id, a.base_url AS url,
  a.realm_id, a.created_at, a.updated_at`;

/** Makes a course provider record (contract/course-providers#record). */
export const toCourseProviderRecord = <Row extends z.infer<typeof courseProviderRow>>(
  row: Row,
) => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});
