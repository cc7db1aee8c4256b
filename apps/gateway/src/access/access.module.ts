import { Module } from '@nestjs/common';
import { AccessResolver } from './access-resolver.ts';
import { BrowserKeyWarning } from './browser-key-warning.ts';
import { GuessingGuard } from './guessing-guard.ts';

/** Resolves the credentials of requests to what they reach. */
@Module({
  providers: [AccessResolver, BrowserKeyWarning, GuessingGuard],
  exports: [AccessResolver, BrowserKeyWarning, GuessingGuard],
})
export class AccessModule {}
