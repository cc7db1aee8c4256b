import { HandleBroadcast, type PayloadOf } from '#libs/bus';
import { accessChanged } from '#libs/contracts';
import { Controller } from '@nestjs/common';
import { Access } from './access.ts';

/** Every gateway forgets at once what identity says has changed. */
@Controller()
export class AccessChanges {
  constructor(private readonly access: Access) {}

  @HandleBroadcast(accessChanged)
  accessChanged({ realmId }: PayloadOf<typeof accessChanged>): void {
    this.access.forget(realmId);
  }
}
