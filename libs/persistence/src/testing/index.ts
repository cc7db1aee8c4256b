export * from './dedicated-postgres.ts';
export * from './describe-entities.ts';
export * from './describe-migrations.ts';
export * from './partitions.ts';
export * from './temporary-postgres.ts';
export * from './use-database.ts';
export { ensureSystemUser, postgresUser, type SystemAccount } from '../system-user.ts';
