import { busMigrations } from '#libs/bus';
import { type ContextSchema } from '#libs/persistence';
import { Provider1760000000000 } from './migrations/1760000000000-provider.ts';

/** The provider's part of the database. Its tables are written and read as SQL text. */
export const providerSchema: ContextSchema = {
  name: 'provider',
  entities: [],
  migrations: [...busMigrations, Provider1760000000000],
};
