import { PersistenceModule } from '@registrar/persistence';
import { Sealing } from '@registrar/platform';
import { type DynamicModule, Module } from '@nestjs/common';
import { AccessModule } from './access/access.module.ts';
import { ApiKeysModule } from './api-keys/api-keys.module.ts';
import { AuditEntriesModule } from './audit/audit-entries.module.ts';
import { AuditModule } from './audit/audit.module.ts';
import { ProviderApplicationsModule } from './provider-applications/provider-applications.module.ts';
import { RealmsModule } from './realms/realms.module.ts';
import { identitySchema } from './schema.ts';
import { type IdentitySettings, identitySettingsToken } from './settings.ts';
import { UsersModule } from './users/users.module.ts';

/** The identity context: realms, their provider applications and users, and API keys. */
@Module({})
export class IdentityModule {
  static with(settings: IdentitySettings): DynamicModule {
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
        { provide: identitySettingsToken, useValue: settings },
        { provide: Sealing, useFactory: () => Sealing.fromKeyFile(settings.MASTER_KEY_FILE) },
      ],
      exports: [identitySettingsToken, Sealing],
    };
  }
}
