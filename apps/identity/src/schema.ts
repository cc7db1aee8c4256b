import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { Realm } from './realms/realm.entity.ts';
import { Identity1790000000000 } from './migrations/1790000000000-identity.migration.ts';

/** Identity's part of the database. */
export const identitySchema: ContextSchema = {
  name: 'identity',
  entities: [Realm],
  migrations: [...busMigrations, Identity1790000000000],
};
