import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.ts';
import { FindRealmScope } from './find-realm-scope.ts';
import { ResolveAccess } from './resolve-access.ts';

/** Authenticates callers. */
@Module({ imports: [ApiKeysModule], controllers: [FindRealmScope, ResolveAccess] })
export class AccessModule {}
