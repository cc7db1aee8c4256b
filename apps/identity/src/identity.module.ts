import { PersistenceModule } from '@registrar/persistence';
import { Sealing } from '@registrar/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import { type ApiKeyLifetimes, apiKeyLifetimes } from './api-keys/api-key-lifetimes.ts';
import { ApiKeysModule } from './api-keys/api-keys.module.ts';
import { auditRetentionDays } from './audit/audit-log.ts';
import { AuditEntriesModule } from './audit/audit-entries.module.ts';
import { AuditModule } from './audit/audit.module.ts';
import { ProviderApplicationsModule } from './provider-applications/provider-applications.module.ts';
import { RealmsModule } from './realms/realms.module.ts';
import { identitySchema } from './schema.ts';
import { type IdentitySettings } from './settings.ts';
import { UsersModule } from './users/users.module.ts';

/** The identity context: realms, their provider applications and users, and API keys. */
@Module({})
export class IdentityModule {
  static with(settings: IdentitySettings): DynamicModule {
    const lifetimes: ApiKeyLifetimes = {
      userHours: settings.API_KEY_USER_LIFETIME_HOURS,
      days: settings.API_KEY_LIFETIME_DAYS,
    };
    const sealing = () => Sealing.fromKeyFile(settings.MASTER_KEY_FILE);
    return {
      module: IdentityModule,
      // The feature modules use its providers.
      global: true,
      imports: [
        PersistenceModule.forContext(identitySchema, settings.DATABASE_URL),
        AccessModule,
        ApiKeysModule,
        AuditEntriesModule,
        AuditModule,
        ProviderApplicationsModule,
        RealmsModule,
        UsersModule,
      ],
      providers: [
        { provide: apiKeyLifetimes, useValue: lifetimes },
        { provide: auditRetentionDays, useValue: settings.AUDIT_RETENTION_DAYS },
        { provide: Sealing, useFactory: sealing },
      ],
      exports: [apiKeyLifetimes, auditRetentionDays, Sealing],
    };
  }
}
