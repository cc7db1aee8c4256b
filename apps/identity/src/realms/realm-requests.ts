import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { createRealm } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateRealm } from './create-realm.ts';

/** What is asked of realms. */
@Controller()
export class RealmRequests {
  constructor(private readonly createUseCase: CreateRealm) {}

  @HandleRequest(createRealm)
  create(input: InputOf<typeof createRealm>): Promise<ReplyOf<typeof createRealm>> {
    return this.createUseCase.run(input);
  }
}
