export * from './create-migrated-database.ts';
export * from './dedicated-postgres.ts';
export * from './describe-entities.ts';
export * from './describe-migrations.ts';
export * from './partitions.ts';
export * from './step-time.ts';
export * from './temporary-postgres.ts';
export * from './use-database.ts';
export { ensureSystemUser, postgresUser, type SystemAccount } from '../system-user.ts';
