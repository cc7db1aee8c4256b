import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { EditCourseTags, EditRegistrationTags } from './edit-tags.ts';

/** The tags of courses and registrations in the API. */
@Module({
  imports: [ApplicationsModule],
  controllers: [EditCourseTags, EditRegistrationTags],
})
export class TagsModule {}
