import { HandleBroadcast, type PayloadOf } from '@registrar/bus';
import { accessChanged } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { AccessResolver } from './access-resolver.ts';

/** Drops the cached access of a realm in every replica when identity has changed it. */
@Controller()
export class ForgetChangedAccess {
  // AccessResolver itself has no handler: Nest does not inject controllers into other classes.
  constructor(private readonly access: AccessResolver) {}

  @HandleBroadcast(accessChanged)
  forget({ realmId }: PayloadOf<typeof accessChanged>): void {
    this.access.forgetRealm(realmId);
  }
}
