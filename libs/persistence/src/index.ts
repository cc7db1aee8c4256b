export * from './database.ts';
export * from './embedded-postgres.ts';
export * from './keyset.ts';
export * from './pattern-query.ts';
export * from './persistence-module.ts';
