export * from './bounded-page.ts';
export type { ContextSchema } from './context-data-source.ts';
export { Database } from './database.ts';
export { DatabaseUnavailable } from './database-unavailable.ts';
export * from './embedded-postgres.ts';
export * from './keyset.ts';
export {
  appliedMigrations,
  createSchemaIfMissing,
  migrateSchema,
  waitForMigrations,
} from './migrations.ts';
export {
  createTrigramExtension,
  patternConditions,
  queryWithPatterns,
} from './patterns/pattern-query.ts';
export * from './persistence.module.ts';
export { removePostgresFiles } from './postgres-files.ts';
export * from './roles.ts';
export type { RowSchema } from './row-schema.ts';
export * from './sql.ts';
export { sqlState, uniqueViolation } from './sql-state.ts';
export * from './statement-span.ts';
