import { Module } from '@nestjs/common';
import { AccessResolver } from './access-resolver.ts';
import { BrowserKeyWarning } from './browser-key-warning.ts';

/** Resolves the credentials of requests to what they reach. */
@Module({
  providers: [AccessResolver, BrowserKeyWarning],
  exports: [AccessResolver, BrowserKeyWarning],
})
export class AccessModule {}
