import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { addLearners, createInvitation, indexInvitations, updateInvitation } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { AddLearners } from './add-learners.ts';
import { CreateInvitation } from './create-invitation.ts';
import { IndexInvitations } from './index-invitations.ts';
import { UpdateInvitation } from './update-invitation.ts';

/** What is asked of invitations. */
@Controller()
export class InvitationRequests {
  constructor(
    private readonly addUseCase: AddLearners,
    private readonly createUseCase: CreateInvitation,
    private readonly indexUseCase: IndexInvitations,
    private readonly updateUseCase: UpdateInvitation,
  ) {}

  @HandleRequest(addLearners)
  add(input: InputOf<typeof addLearners>): Promise<ReplyOf<typeof addLearners>> {
    return this.addUseCase.run(input);
  }

  @HandleRequest(createInvitation)
  create(input: InputOf<typeof createInvitation>): Promise<ReplyOf<typeof createInvitation>> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(indexInvitations)
  index(input: InputOf<typeof indexInvitations>): Promise<ReplyOf<typeof indexInvitations>> {
    return this.indexUseCase.run(input);
  }

  @HandleRequest(updateInvitation)
  update(input: InputOf<typeof updateInvitation>): Promise<ReplyOf<typeof updateInvitation>> {
    return this.updateUseCase.run(input);
  }
}
