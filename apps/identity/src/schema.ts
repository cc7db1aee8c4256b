import { busMigrations } from '#libs/bus';
import { type ContextSchema } from '#libs/persistence';
import { Identity1760000000000 } from './migrations/1760000000000-identity.ts';
import { RealmOperation1760000000001 } from './migrations/1760000000001-realm-operation.ts';

/** Identity's part of the database. Its tables are written and read as SQL text. */
export const identitySchema: ContextSchema = {
  name: 'identity',
  entities: [],
  migrations: [...busMigrations, Identity1760000000000, RealmOperation1760000000001],
};
