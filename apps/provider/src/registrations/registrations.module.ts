import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { ConfigurationModule } from '../configuration/configuration.module.ts';
import { PendingPostbacks } from '../postbacks/pending-postbacks.ts';
import { EditRegistrationTags } from '../tags/edit-tags.ts';
import { TagRegistrations } from '../tags/tag-many.ts';
import { CreateRegistration } from './create-registration.ts';
import { DeleteRegistration } from './delete-registration.ts';
import { EditInstances } from './edit-instances.ts';
import { FindRegistration } from './find-registration.ts';
import { IndexRegistrations } from './index-registrations.ts';
import { LoadRegistration } from './load-registration.ts';
import { ResetGlobalData } from './reset-global-data.ts';
import { ResetProgress } from './reset-progress.ts';

/** Registrations and their results in the API, and which results are to be posted. */
@Module({
  imports: [ApplicationsModule, ConfigurationModule],
  controllers: [
    CreateRegistration,
    DeleteRegistration,
    EditInstances,
    EditRegistrationTags,
    FindRegistration,
    IndexRegistrations,
    ResetGlobalData,
    ResetProgress,
    TagRegistrations,
  ],
  providers: [LoadRegistration, PendingPostbacks],
  exports: [LoadRegistration, PendingPostbacks],
})
export class RegistrationsModule {}
