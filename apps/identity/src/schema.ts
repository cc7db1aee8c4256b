import { busMigrations } from '@registrar/bus';
import { type ContextSchema } from '@registrar/persistence';
import { ApiKey } from './api-keys/api-key.entity.ts';
import { Identity1760000000000 } from './migrations/1760000000000-identity.migration.ts';
import { RealmOperation1760000000001 } from './migrations/1760000000001-realm-operation.migration.ts';
import { BigintIds1760000000300 } from './migrations/1760000000300-bigint-ids.migration.ts';
import { UsersByRealm1760000000310 } from './migrations/1760000000310-users-by-realm.migration.ts';
import { GatewayDemand1760000000330 } from './migrations/1760000000330-gateway-demand.migration.ts';
import { RealmLimits1760000000320 } from './migrations/1760000000320-realm-limits.migration.ts';
import { AuditLog1760000000340 } from './migrations/1760000000340-audit-log.migration.ts';
import { GatewayDemand } from './gateway-demand/gateway-demand.entity.ts';
import { ApiKeyLimits1760000000350 } from './migrations/1760000000350-api-key-limits.migration.ts';
import { ApiKeyUse1760000000360 } from './migrations/1760000000360-api-key-use.migration.ts';
import { ProviderSecretOverlap1760000000380 } from './migrations/1760000000380-provider-secret-overlap.migration.ts';
import { RealmStates1760000000390 } from './migrations/1760000000390-realm-states.migration.ts';
import { SecretGenerations1760000000400 } from './migrations/1760000000400-secret-generations.migration.ts';
import { AuditBudgets1760000000410 } from './migrations/1760000000410-audit-budgets.migration.ts';
import { PostbackSecrets1760000000420 } from './migrations/1760000000420-postback-secrets.migration.ts';
import { ProviderApplication } from './provider-applications/provider-application.entity.ts';
import { Realm } from './realms/realm.entity.ts';
import { RealmUser } from './users/realm-user.entity.ts';
import { User } from './users/user.entity.ts';

/** Identity's part of the database. */
export const identitySchema: ContextSchema = {
  name: 'identity',
  entities: [Realm, ProviderApplication, User, RealmUser, ApiKey, GatewayDemand],
  migrations: [
    ...busMigrations,
    Identity1760000000000,
    RealmOperation1760000000001,
    BigintIds1760000000300,
    UsersByRealm1760000000310,
    RealmLimits1760000000320,
    GatewayDemand1760000000330,
    AuditLog1760000000340,
    ApiKeyLimits1760000000350,
    ApiKeyUse1760000000360,
    ProviderSecretOverlap1760000000380,
    RealmStates1760000000390,
    SecretGenerations1760000000400,
    AuditBudgets1760000000410,
    PostbackSecrets1760000000420,
  ],
};
