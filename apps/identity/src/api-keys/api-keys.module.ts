import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { RealmsModule } from '../realms/realms.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { ApiKeyUses } from './api-key-uses.ts';
import { CreateApiKeys } from './create-api-keys.ts';
import { ListApiKeys } from './list-api-keys.ts';
import { PruneApiKeys } from './prune-api-keys.ts';
import { RenewApiKey } from './renew-api-key.ts';
import { RevokeApiKeys } from './revoke-api-keys.ts';
import { ShortenApiKeys } from './shorten-api-keys.ts';

@Module({
  imports: [AuditModule, RealmsModule, UsersModule],
  controllers: [CreateApiKeys, ListApiKeys, RenewApiKey, RevokeApiKeys, ShortenApiKeys],
  providers: [ApiKeyUses, PruneApiKeys],
  exports: [ApiKeyUses],
})
export class ApiKeysModule {}
