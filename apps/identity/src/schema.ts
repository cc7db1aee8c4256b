import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { ApiKey } from './api-keys/api-key.entity.ts';
import { ProviderApplication } from './provider-applications/provider-application.entity.ts';
import { Realm } from './realms/realm.entity.ts';
import { RealmUser } from './users/realm-user.entity.ts';
import { User } from './users/user.entity.ts';
import { Identity1790000000000 } from './migrations/1790000000000-identity.migration.ts';

/** Identity's part of the database. */
export const identitySchema: ContextSchema = {
  name: 'identity',
  entities: [Realm, ProviderApplication, User, RealmUser, ApiKey],
  migrations: [...busMigrations, Identity1790000000000],
};
