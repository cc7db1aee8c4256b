import { busMigrations } from '#libs/bus';
import { type ContextSchema } from '#libs/persistence';
import { Crawler1760000000000 } from './migrations/1760000000000-crawler.ts';

/** The crawler's part of the database. Its tables are written and read as SQL text. */
export const crawlerSchema: ContextSchema = {
  name: 'crawler',
  entities: [],
  migrations: [...busMigrations, Crawler1760000000000],
};
