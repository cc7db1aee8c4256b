import { Database } from '@registrar/persistence';
import { PeriodicTask } from '@registrar/platform';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { pruneIdempotencyStore } from './idempotency-store.ts';
import { pruneInbox } from './inbox.ts';

const everyMs = 3_600_000;
const timeoutMs = 60_000;

/** Deletes the rows of the bus that are older than their retention, a batch per round. */
@Injectable()
export class PruneBusTables {
  constructor(@Optional() @Inject(Database) private readonly database: Database | undefined) {}

  @PeriodicTask({ name: 'prune the inbox', everyMs, timeoutMs })
  async pruneInbox(): Promise<boolean> {
    return this.database !== undefined && pruneInbox(this.database);
  }

  @PeriodicTask({ name: 'prune the idempotency store', everyMs, timeoutMs })
  async pruneIdempotencyStore(): Promise<boolean> {
    return this.database !== undefined && pruneIdempotencyStore(this.database);
  }
}
