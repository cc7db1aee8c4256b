import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { EditTags } from './edit-tags.ts';
import { CourseTagsController, RegistrationTagsController } from './tags.controller.ts';

/** The tags of courses and registrations in the API. */
@Module({
  imports: [ApplicationsModule],
  controllers: [CourseTagsController, RegistrationTagsController],
  providers: [EditTags],
})
export class TagsModule {}
