import { HandleBroadcast, type PayloadOf } from '@registrar/bus';
import { accessChanged } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { Controller } from '@nestjs/common';
import { InitializationQueue } from './initialization-queue.ts';
import { InitializeRegistrations } from './initialize-registrations.ts';

/**
 * Makes registrations due at once that a provider refused because of credentials, which may have been replaced.
 * Each replica does this for the applications that it has paused.
 */
@Controller()
export class RetryUnauthorizedRegistrations {
  constructor(
    private readonly initializeRegistrations: InitializeRegistrations,
    private readonly queue: InitializationQueue,
  ) {}

  @HandleBroadcast(accessChanged)
  async retry({ realmId }: PayloadOf<typeof accessChanged>): Promise<void> {
    const applicationIds = this.initializeRegistrations.endUnauthorizedPauses(realmId);
    await this.queue.retryFailed(applicationIds, sql`now()`);
  }
}
