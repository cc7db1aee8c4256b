import { Module } from '@nestjs/common';
import { BasicAuthGuard } from '../http/basic-auth.guard.ts';
import { GuessingGuard } from '../http/guessing-guard.ts';
import { Authenticator } from './authenticator.ts';
import { PauseApplications } from './pause-applications.ts';
import { PutApplication } from './put-application.ts';
import { RotateApplicationSecret } from './rotate-application-secret.ts';

/** Applications: the accounts at this provider, and their authentication. */
@Module({
  controllers: [PauseApplications, PutApplication, RotateApplicationSecret],
  providers: [Authenticator, BasicAuthGuard, GuessingGuard],
  exports: [Authenticator, BasicAuthGuard, GuessingGuard],
})
export class ApplicationsModule {}
