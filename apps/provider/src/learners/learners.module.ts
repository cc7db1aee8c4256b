import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.ts';
import { EraseInSteps } from './erase-in-steps.ts';
import { EraseLearner } from './erase-learner.ts';
import { UpdateLearner } from './update-learner.ts';

/** Learners, who are known by their registrations alone. */
@Module({
  imports: [ApplicationsModule],
  controllers: [EraseLearner, UpdateLearner],
  providers: [EraseInSteps],
})
export class LearnersModule {}
