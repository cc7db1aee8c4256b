export { type ContextSchema, poolSize } from './context-data-source.ts';
export { Database } from './database.ts';
export { databaseFault } from './database-fault.ts';
export { DatabaseUnavailable } from './database-unavailable.ts';
export * from './embedded-postgres.ts';
export * from './keyset.ts';
export {
  appliedMigrations,
  createSchemaIfMissing,
  migrateSchema,
  migrationsClient,
  waitForMigrations,
} from './migrations.ts';
export {
  countRows,
  createTrigramExtension,
  patternConditions,
  queryWithPatterns,
} from './patterns/pattern-query.ts';
export * from './persistence.module.ts';
export { detectPooling, type Pooling, transactionPooling } from './pooling.ts';
export { removePostgresFiles } from './postgres-files.ts';
export { ReportReader, type ReportSource } from './reports/report-reader.ts';
export { Standby } from './reports/standby.ts';
export { selectPrimaryPlace, selectStandbyPlace } from './reports/wal-positions.ts';
export * from './roles.ts';
export type { RowSchema } from './row-schema.ts';
export * from './sql.ts';
export { sqlState, uniqueViolation } from './sql-state.ts';
