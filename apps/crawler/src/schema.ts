import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { Crawler1790000000000 } from './migrations/1790000000000-crawler.migration.ts';

/** The crawler's part of the database. */
export const crawlerSchema: ContextSchema = {
  name: 'crawler',
  entities: [],
  migrations: [...busMigrations, Crawler1790000000000],
};
