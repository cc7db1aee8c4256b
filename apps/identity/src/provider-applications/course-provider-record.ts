import { type CourseProviderRecord, toTimestamp } from '#libs/contracts';

/** A provider application as {@link courseProviderColumns} select it. */
export type CourseProviderRow = Omit<CourseProviderRecord, 'created_at' | 'updated_at'> & {
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** What a query `FROM provider_applications AS a` selects for a record: nothing of the secret. */
export const courseProviderColumns =
  'a.id, a.name, a.app_id AS sc_app_id, a.base_url AS url, a.realm_id, a.created_at, a.updated_at';

/** The course provider record of decision 28. */
export const courseProviderRecord = <Row extends CourseProviderRow>(row: Row) => ({
  ...row,
  created_at: toTimestamp(row.created_at),
  updated_at: toTimestamp(row.updated_at),
});
