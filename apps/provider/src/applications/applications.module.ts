import { Module } from '@nestjs/common';
import { ApiAccessGuard } from '../http/api-access.guard.ts';
import { GuessingGuard } from '../http/guessing-guard.ts';
import { AccessTokens } from './access-tokens.ts';
import { Authenticator } from './authenticator.ts';
import { IssueToken } from './issue-token.ts';
import { PauseApplications } from './pause-applications.ts';
import { PutApplication } from './put-application.ts';
import { RotateApplicationSecret } from './rotate-application-secret.ts';

/** Applications: the accounts at this provider, and their authentication. */
@Module({
  controllers: [IssueToken, PauseApplications, PutApplication, RotateApplicationSecret],
  providers: [AccessTokens, Authenticator, ApiAccessGuard, GuessingGuard],
  exports: [AccessTokens, Authenticator, ApiAccessGuard, GuessingGuard],
})
export class ApplicationsModule {}
