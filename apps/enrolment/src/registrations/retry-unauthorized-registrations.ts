import { HandleBroadcast, type PayloadOf } from '@registrar/bus';
import { accessChanged } from '@registrar/contracts';
import { Controller } from '@nestjs/common';
import { InitializeRegistrations } from './initialize-registrations.ts';

/** Attempts registrations again that a provider refused because of credentials, in every replica. */
@Controller()
export class RetryUnauthorizedRegistrations {
  constructor(private readonly initializeRegistrations: InitializeRegistrations) {}

  @HandleBroadcast(accessChanged)
  async retry(payload: PayloadOf<typeof accessChanged>): Promise<void> {
    await this.initializeRegistrations.retryUnauthorized(payload);
  }
}
