import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.ts';
import { ResolveAccess } from './resolve-access.ts';

/** Authenticates callers. */
@Module({ imports: [ApiKeysModule], controllers: [ResolveAccess] })
export class AccessModule {}
