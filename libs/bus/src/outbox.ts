import { randomUUID } from 'node:crypto';
import type { EventContract } from '#libs/contracts';
import type { Database } from '#libs/persistence';
import { currentOperation } from '#libs/platform';
import type * as z from 'zod';

/** Where a context writes what it publishes, in the transaction that makes it true. */
export class Outbox {
  constructor(
    private readonly database: Database,
    private readonly kick: () => void,
  ) {}

  /**
   * The event reaches each of its subscribers, at least once, when the transaction commits, and
   * nobody when it does not.
   *
   * @throws when there is no transaction
   */
  async publish<Payload extends z.ZodType>(
    contract: EventContract<Payload>,
    payload: z.output<Payload>,
  ): Promise<void> {
    if (!this.database.inTransaction) throw new Error('an event is published in a transaction');
    await this.database.query(
      'INSERT INTO outbox (name, payload, subscribers, request_id) VALUES ($1, $2, $3, $4)',
      [
        contract.name,
        JSON.stringify(payload),
        contract.subscribers,
        currentOperation()?.requestId ?? randomUUID(),
      ],
    );
    this.database.afterCommit(this.kick);
  }
}
