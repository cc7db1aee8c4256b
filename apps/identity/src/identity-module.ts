import { PersistenceModule } from '#libs/persistence';
import { Sealing } from '#libs/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccessRequests } from './access/access-requests.ts';
import { ResolveAccess } from './access/resolve-access.ts';
import { ApiKeyRequests } from './api-keys/api-key-requests.ts';
import { apiKeyLifetimes, type ApiKeyLifetimes, CreateApiKey } from './api-keys/create-api-key.ts';
import { CreateProviderApplication } from './provider-applications/create-provider-application.ts';
import { FindProviderCredentials } from './provider-applications/find-provider-credentials.ts';
import { ListProviderApplications } from './provider-applications/list-provider-applications.ts';
import { ProviderApplicationRequests } from './provider-applications/provider-application-requests.ts';
import { CreateRealm } from './realms/create-realm.ts';
import { RealmRequests } from './realms/realm-requests.ts';
import { identitySchema } from './schema.ts';
import { type IdentitySettings } from './settings.ts';
import { EnsureUser } from './users/ensure-user.ts';
import { EnsureUsers } from './users/ensure-users.ts';
import { UserRequests } from './users/user-requests.ts';

/** The identity context: realms, their provider applications and users, and api keys. */
@Module({})
export class IdentityModule {
  static with(settings: IdentitySettings): DynamicModule {
    const lifetimes: ApiKeyLifetimes = {
      userHours: settings.API_KEY_USER_LIFETIME_HOURS,
      days: settings.API_KEY_LIFETIME_DAYS,
    };
    return {
      module: IdentityModule,
      imports: [PersistenceModule.forContext(identitySchema, settings.DATABASE_URL)],
      controllers: [
        AccessRequests,
        ApiKeyRequests,
        ProviderApplicationRequests,
        RealmRequests,
        UserRequests,
      ],
      providers: [
        { provide: apiKeyLifetimes, useValue: lifetimes },
        { provide: Sealing, useFactory: () => Sealing.fromKeyFile(settings.MASTER_KEY_FILE) },
        CreateApiKey,
        CreateProviderApplication,
        CreateRealm,
        EnsureUser,
        EnsureUsers,
        FindProviderCredentials,
        ListProviderApplications,
        ResolveAccess,
      ],
    };
  }
}
