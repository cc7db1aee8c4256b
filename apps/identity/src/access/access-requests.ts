import { HandleRequest, type InputOf } from '#libs/bus';
import { type AccessScope, resolveAccess } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { ResolveAccess } from './resolve-access.ts';

/** What is asked of access. */
@Controller()
export class AccessRequests {
  constructor(private readonly resolveUseCase: ResolveAccess) {}

  @HandleRequest(resolveAccess)
  resolve({ credentials }: InputOf<typeof resolveAccess>): Promise<AccessScope> {
    return this.resolveUseCase.run(credentials);
  }
}
