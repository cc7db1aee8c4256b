import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { PostbacksModule } from '../postbacks/postbacks.module.ts';
import { CreateRegistration } from './create-registration.ts';
import { DeleteRegistration } from './delete-registration.ts';
import { FindRegistration } from './find-registration.ts';
import { IndexRegistrations } from './index-registrations.ts';
import { LoadRegistrationRecords } from './load-registration-records.ts';
import { Registration } from './registration.entity.ts';
import { RegistrationsController } from './registrations.controller.ts';
import { ResetProgress } from './reset-progress.ts';

/** Registrations and their results in the API. */
@Module({
  imports: [ApplicationsModule, PostbacksModule, TypeOrmModule.forFeature([Registration])],
  controllers: [RegistrationsController],
  providers: [
    CreateRegistration,
    DeleteRegistration,
    FindRegistration,
    IndexRegistrations,
    LoadRegistrationRecords,
    ResetProgress,
  ],
  exports: [FindRegistration],
})
export class RegistrationsModule {}
