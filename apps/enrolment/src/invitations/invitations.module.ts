import { Module } from '@nestjs/common';
import { RegistrationsModule } from '../registrations/registrations.module.ts';
import { AddLearners } from './add-learners.ts';
import { ApplyPlan } from './apply-plan.ts';
import { CreateInvitation } from './create-invitation.ts';
import { DeleteInvitation } from './delete-invitation.ts';
import { FindAssignments } from './find-assignments.ts';
import { FindInvitedCourses } from './find-invited-courses.ts';
import { IndexInvitations } from './index-invitations.ts';
import { InvitationRepository } from './invitation-repository.ts';
import { LoadInvitationState } from './load-invitation-state.ts';
import { SeatMetrics } from './seat-metrics.ts';
import { UpdateInvitation } from './update-invitation.ts';

@Module({
  imports: [RegistrationsModule],
  controllers: [
    AddLearners,
    CreateInvitation,
    DeleteInvitation,
    IndexInvitations,
    UpdateInvitation,
  ],
  providers: [
    ApplyPlan,
    FindAssignments,
    FindInvitedCourses,
    InvitationRepository,
    LoadInvitationState,
    SeatMetrics,
  ],
})
export class InvitationsModule {}
