import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { createRealmUser, indexRealmUsers, updateRealmUser } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateRealmUser } from './create-realm-user.ts';
import { IndexRealmUsers } from './index-realm-users.ts';
import { UpdateRealmUser } from './update-realm-user.ts';

/** What is asked of the users of a realm. */
@Controller()
export class RealmUserRequests {
  constructor(
    private readonly createUseCase: CreateRealmUser,
    private readonly indexUseCase: IndexRealmUsers,
    private readonly updateUseCase: UpdateRealmUser,
  ) {}

  @HandleRequest(createRealmUser)
  create(input: InputOf<typeof createRealmUser>): Promise<ReplyOf<typeof createRealmUser>> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(indexRealmUsers)
  index(input: InputOf<typeof indexRealmUsers>): Promise<ReplyOf<typeof indexRealmUsers>> {
    return this.indexUseCase.run(input);
  }

  @HandleRequest(updateRealmUser)
  update(input: InputOf<typeof updateRealmUser>): Promise<ReplyOf<typeof updateRealmUser>> {
    return this.updateUseCase.run(input);
  }
}
