import { Module } from '@nestjs/common';
import { AccessResolver } from './access-resolver.ts';

/** Resolves the credentials of requests to what they reach. */
@Module({ providers: [AccessResolver], exports: [AccessResolver] })
export class AccessModule {}
