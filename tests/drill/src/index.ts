export { ArchivedPostgres, type Moment, type Place } from './archived-postgres.ts';
export { deleteQueues } from './empty-queues.ts';
export { startObjectStore } from './object-store.ts';
export { findPostgresPrograms } from './programs.ts';
export { crawlAll } from './crawl-all.ts';
