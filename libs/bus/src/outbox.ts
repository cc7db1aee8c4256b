import { randomUUID } from 'node:crypto';
import type { EventContract } from '#libs/contracts';
import type { Database } from '#libs/persistence';
import { currentOperation, currentPlace } from '#libs/platform';
import type * as z from 'zod';
import { publishing } from './bus-spans.ts';

/** Where a context writes what it publishes, in the transaction that makes it true. */
export class Outbox {
  constructor(
    private readonly database: Database,
    /** Has what is due relayed at once. */
    readonly kick: () => void,
  ) {}

  /**
   * The event reaches each of its subscribers, at least once, when the transaction commits, and
   * nobody when it does not.
   *
   * @throws when there is no transaction
   */
  publish<Payload extends z.ZodType>(
    contract: EventContract<Payload>,
    payload: z.output<Payload>,
  ): Promise<void> {
    return this.publishAll(contract, [payload]);
  }

  /** The same for many events of one kind, in their order, written by one statement. */
  async publishAll<Payload extends z.ZodType>(
    contract: EventContract<Payload>,
    payloads: readonly z.output<Payload>[],
  ): Promise<void> {
    if (!this.database.inTransaction) throw new Error('an event is published in a transaction');
    if (payloads.length === 0) return;
    await publishing(contract, payloads.length, () =>
      this.database.query(
        `INSERT INTO outbox (name, payload, subscribers, request_id, trace)
         SELECT $1::text, p.payload::jsonb, $3::text[], $4::text, $5::jsonb
         FROM unnest($2::text[]) WITH ORDINALITY AS p (payload, place)
         ORDER BY p.place`,
        [
          contract.name,
          payloads.map((payload) => JSON.stringify(payload)),
          contract.subscribers,
          currentOperation()?.requestId ?? randomUUID(),
          currentPlace() ?? null,
        ],
      ),
    );
    this.database.afterCommit(this.kick);
  }
}
