import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { ensureUser, ensureUsers } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { EnsureUser } from './ensure-user.ts';
import { EnsureUsers } from './ensure-users.ts';

/** What is asked of users. */
@Controller()
export class UserRequests {
  constructor(
    private readonly ensureUseCase: EnsureUser,
    private readonly ensureManyUseCase: EnsureUsers,
  ) {}

  @HandleRequest(ensureUser)
  ensure({ realmId, email }: InputOf<typeof ensureUser>): Promise<ReplyOf<typeof ensureUser>> {
    return this.ensureUseCase.run(realmId, email, 'learner');
  }

  @HandleRequest(ensureUsers)
  async ensureMany({
    realmId,
    emails,
  }: InputOf<typeof ensureUsers>): Promise<ReplyOf<typeof ensureUsers>> {
    return { users: await this.ensureManyUseCase.run(realmId, emails) };
  }
}
