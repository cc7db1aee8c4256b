import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { EditLearnerTags } from '../tags/edit-tags.ts';
import { TagLearners } from '../tags/tag-many.ts';
import { EraseInSteps } from './erase-in-steps.ts';
import { EraseLearner } from './erase-learner.ts';
import { PruneLearnerTags } from './prune-learner-tags.ts';
import { UpdateLearner } from './update-learner.ts';

/** Learners, who are known by their registrations alone. */
@Module({
  imports: [ApplicationsModule],
  controllers: [EditLearnerTags, EraseLearner, TagLearners, UpdateLearner],
  providers: [EraseInSteps, PruneLearnerTags],
})
export class LearnersModule {}
