import { Module } from '@nestjs/common';
import { ResolveAccess } from './resolve-access.ts';

/** Authenticates callers. */
@Module({ providers: [ResolveAccess] })
export class AccessModule {}
