import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { ensureUser } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { EnsureUser } from './ensure-user.ts';

/** What is asked of users. */
@Controller()
export class UserRequests {
  constructor(private readonly ensureUseCase: EnsureUser) {}

  @HandleRequest(ensureUser)
  ensure({ realmId, email }: InputOf<typeof ensureUser>): Promise<ReplyOf<typeof ensureUser>> {
    return this.ensureUseCase.run(realmId, email, 'learner');
  }
}
