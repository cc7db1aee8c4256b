import { HandleBroadcast, type PayloadOf } from '@registrar/bus';
import { accessChanged } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { InitializeRegistrations } from './initialize-registrations.ts';

/**
 * Makes registrations due at once that a provider refused because of credentials, which may have been replaced.
 * Each replica does this for the applications that it has paused.
 */
@Controller()
export class RetryUnauthorizedRegistrations {
  constructor(private readonly initializeRegistrations: InitializeRegistrations) {}

  @HandleBroadcast(accessChanged)
  async retry({ realmId }: PayloadOf<typeof accessChanged>): Promise<void> {
    await this.initializeRegistrations.retryUnauthorized(realmId);
  }
}
