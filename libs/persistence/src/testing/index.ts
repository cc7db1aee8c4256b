export * from './dedicated-postgres.ts';
export * from './describe-entities.ts';
export * from './describe-migrations.ts';
export * from './temporary-postgres.ts';
