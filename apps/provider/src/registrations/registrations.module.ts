import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { PostbacksModule } from '../postbacks/postbacks.module.ts';
import { CreateRegistration } from './create-registration.ts';
import { DeleteRegistration } from './delete-registration.ts';
import { FindRegistration } from './find-registration.ts';
import { IndexRegistrations } from './index-registrations.ts';
import { LoadRegistration } from './load-registration.ts';
import { ResetProgress } from './reset-progress.ts';

/** Registrations and their results in the API. */
@Module({
  imports: [ApplicationsModule, PostbacksModule],
  controllers: [
    CreateRegistration,
    DeleteRegistration,
    FindRegistration,
    IndexRegistrations,
    ResetProgress,
  ],
  providers: [LoadRegistration],
  exports: [LoadRegistration],
})
export class RegistrationsModule {}
