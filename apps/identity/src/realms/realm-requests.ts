import { HandleRequest, type InputOf, type ReplyOf } from '#libs/bus';
import { createRealm, listRealms, rotateRealmSecret } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { CreateRealm } from './create-realm.ts';
import { ListRealms } from './list-realms.ts';
import { RotateRealmSecret } from './rotate-realm-secret.ts';

/** What is asked of realms. */
@Controller()
export class RealmRequests {
  constructor(
    private readonly createUseCase: CreateRealm,
    private readonly listUseCase: ListRealms,
    private readonly rotateUseCase: RotateRealmSecret,
  ) {}

  @HandleRequest(createRealm)
  create(input: InputOf<typeof createRealm>): Promise<ReplyOf<typeof createRealm>> {
    return this.createUseCase.run(input);
  }

  @HandleRequest(listRealms)
  list(input: InputOf<typeof listRealms>): Promise<ReplyOf<typeof listRealms>> {
    return this.listUseCase.run(input);
  }

  @HandleRequest(rotateRealmSecret)
  rotate(input: InputOf<typeof rotateRealmSecret>): Promise<ReplyOf<typeof rotateRealmSecret>> {
    return this.rotateUseCase.run(input);
  }
}
