import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Application } from './application.entity.ts';
import { Authenticator } from './authenticator.ts';
import { PutApplication } from './put-application.ts';

/** Applications: the accounts at this provider, and their authentication. */
@Module({
  imports: [TypeOrmModule.forFeature([Application])],
  providers: [Authenticator, PutApplication],
  exports: [Authenticator],
})
export class ApplicationsModule {}
