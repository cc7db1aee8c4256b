import { Module } from '@nestjs/common';
import { RegistrationsModule } from '../registrations/registrations.module.ts';
import { AddLearners } from './add-learners.ts';
import { ApplyPlan } from './apply-plan.ts';
import { DeleteInvitation } from './delete-invitation.ts';
import { FindAssignments } from './find-assignments.ts';
import { IndexInvitations } from './index-invitations.ts';
import { InvitationRepository } from './invitation-repository.ts';
import { LoadInvitationState } from './load-invitation-state.ts';
import { PreviewLearners } from './preview-learners.ts';
import { SaveInvitation } from './save-invitation.ts';
import { SeatMetrics } from './seat-metrics.ts';
import { ShowInvitations } from './show-invitations.ts';

@Module({
  imports: [RegistrationsModule],
  controllers: [
    AddLearners,
    DeleteInvitation,
    IndexInvitations,
    PreviewLearners,
    SaveInvitation,
    ShowInvitations,
  ],
  providers: [ApplyPlan, FindAssignments, InvitationRepository, LoadInvitationState, SeatMetrics],
})
export class InvitationsModule {}
