import { Module } from '@nestjs/common';
import { AccessResolver } from './access-resolver.ts';
import { BrowserKeyWarning } from './browser-key-warning.ts';
import { ForgetChangedAccess } from './forget-changed-access.ts';
import { GuessingGuard } from '../admission/guessing-guard.ts';

/** Resolves the credentials of requests to what they reach. */
@Module({
  controllers: [ForgetChangedAccess],
  providers: [AccessResolver, BrowserKeyWarning, GuessingGuard],
  exports: [AccessResolver, BrowserKeyWarning, GuessingGuard],
})
export class AccessModule {}
