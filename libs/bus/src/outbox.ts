import { randomUUID } from 'node:crypto';
import type { EventContract } from '@registrar/contracts';
import { type Database, type Sql, sql } from '@registrar/persistence';
import { currentRequestContext, currentTraceContext } from '@registrar/platform';
import type * as z from 'zod';
import { inPublishSpan } from './event-spans.ts';

/**
 * Publishes events of a context. An event is a row in the transaction that makes it true, so it is
 * delivered if and only if that transaction commits. Provided where the app has a `Database`.
 *
 * Delivery is at least once, in no particular order, to every subscriber that the contract names;
 * the subscriber's inbox discards duplicates (`@HandleEvent`). The apps that the contract names as
 * listeners receive the event too, at most once. While the broker or a subscriber is unreachable, the
 * event stays in the outbox. An event that cannot be delivered for any other reason is parked after
 * its last retry (parked-events.ts).
 *
 * @example
 * ```ts
 * await database.transaction(async () => {
 *   await database.execute(sql`UPDATE courses SET title = ${title} WHERE id = ${id}`);
 *   await outbox.publish(courseChanged, { id });
 * });
 * ```
 */
export class Outbox {
  constructor(
    private readonly database: Database,
    /** Relays due events now. */
    readonly relayNow: () => void,
  ) {}

  /**
   * Publishes an event as part of the current transaction.
   *
   * @throws {Error} outside of a transaction
   */
  publish<Payload extends z.ZodType>(
    contract: EventContract<Payload>,
    payload: z.output<Payload>,
  ): Promise<void> {
    return this.publishAll(contract, [payload]);
  }

  /** Publishes many events of one kind with one statement, in the given order. */
  async publishAll<Payload extends z.ZodType>(
    contract: EventContract<Payload>,
    payloads: readonly z.output<Payload>[],
  ): Promise<void> {
    if (!this.database.inTransaction)
      throw new Error('an event must be published in a transaction');
    if (payloads.length === 0) return;
    const given = sql`
      SELECT payload::jsonb
      FROM unnest(${payloads.map((payload) => JSON.stringify(payload))}::text[])
        WITH ORDINALITY AS p (payload, place)
      ORDER BY place`;
    await inPublishSpan(contract, payloads.length, () =>
      this.database.execute(insertion(contract, given)),
    );
    this.database.afterCommit(this.relayNow);
  }

  /**
   * Publishes events by the statement that makes them true: one statement, which needs no transaction.
   *
   * @param payloads query for the payloads, a column `payload` of type jsonb, in their order
   * @param run runs the statement, which has the given INSERT in its WITH clause
   * @example
   * ```ts
   * await outbox.publishWith(courseChanged, sql`SELECT jsonb_build_object('id', id) AS payload FROM changed`, (events) =>
   *   database.execute(sql`WITH changed AS (UPDATE … RETURNING id), events AS (${events}) SELECT FROM changed`),
   * );
   * ```
   */
  async publishWith<Result>(
    contract: EventContract,
    payloads: Sql,
    run: (events: Sql) => Promise<Result>,
  ): Promise<Result> {
    const result = await inPublishSpan(contract, 1, () => run(insertion(contract, payloads)));
    if (this.database.inTransaction) this.database.afterCommit(this.relayNow);
    else this.relayNow();
    return result;
  }
}

const insertion = (contract: EventContract, payloads: Sql): Sql => sql`
  INSERT INTO outbox (name, payload, subscribers, listeners, request_id, trace)
  SELECT ${contract.name}::text, p.payload, ${contract.subscribers}::text[],
         ${contract.listeners}::text[],
         ${currentRequestContext()?.requestId ?? randomUUID()}::text,
         ${currentTraceContext() ?? null}::jsonb
  FROM (${payloads}) AS p`;
