import { PersistenceModule } from '#libs/persistence';
import { Sealing } from '#libs/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccessRequests } from './access/access-requests.ts';
import { ResolveAccess } from './access/resolve-access.ts';
import { ApiKeyRequests } from './api-keys/api-key-requests.ts';
import { CreateApiKey } from './api-keys/create-api-key.ts';
import { IssueApiKey } from './api-keys/issue-api-key.ts';
import { ListApiKeys } from './api-keys/list-api-keys.ts';
import { apiKeyLifetimes, type ApiKeyLifetimes, MintApiKey } from './api-keys/mint-api-key.ts';
import { PruneApiKeys } from './api-keys/prune-api-keys.ts';
import { RevokeApiKey } from './api-keys/revoke-api-key.ts';
import { Background } from './background.ts';
import { CreateProviderApplication } from './provider-applications/create-provider-application.ts';
import { FindProviderCredentials } from './provider-applications/find-provider-credentials.ts';
import { IndexCourseProviders } from './provider-applications/index-course-providers.ts';
import { ListApplications } from './provider-applications/list-applications.ts';
import { ListProviderApplications } from './provider-applications/list-provider-applications.ts';
import { ResealSecrets } from './provider-applications/reseal-secrets.ts';
import { ProviderApplicationRequests } from './provider-applications/provider-application-requests.ts';
import { CreateRealm } from './realms/create-realm.ts';
import { FindRealm } from './realms/find-realm.ts';
import { ListRealms } from './realms/list-realms.ts';
import { RealmRequests } from './realms/realm-requests.ts';
import { RotateRealmSecret } from './realms/rotate-realm-secret.ts';
import { identitySchema } from './schema.ts';
import { type IdentitySettings } from './settings.ts';
import { CreateRealmUser } from './users/create-realm-user.ts';
import { EnsureUser } from './users/ensure-user.ts';
import { EnsureUsers } from './users/ensure-users.ts';
import { IndexRealmUsers } from './users/index-realm-users.ts';
import { RealmUserRequests } from './users/realm-user-requests.ts';
import { UpdateRealmUser } from './users/update-realm-user.ts';
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
        RealmUserRequests,
        UserRequests,
      ],
      providers: [
        { provide: apiKeyLifetimes, useValue: lifetimes },
        { provide: Sealing, useFactory: () => Sealing.fromKeyFile(settings.MASTER_KEY_FILE) },
        Background,
        CreateApiKey,
        CreateProviderApplication,
        CreateRealm,
        CreateRealmUser,
        EnsureUser,
        EnsureUsers,
        FindProviderCredentials,
        FindRealm,
        IndexCourseProviders,
        IndexRealmUsers,
        IssueApiKey,
        ListApiKeys,
        ListApplications,
        ListProviderApplications,
        ResealSecrets,
        ListRealms,
        MintApiKey,
        PruneApiKeys,
        ResolveAccess,
        RevokeApiKey,
        RotateRealmSecret,
        UpdateRealmUser,
      ],
    };
  }
}
