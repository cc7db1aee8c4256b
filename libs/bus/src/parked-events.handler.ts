import { type Context, Failure, parkedEventRequests } from '@registrar/contracts';
import { Database, decodeCursor, encodeCursor, sql, timestampOf } from '@registrar/persistence';
import { Controller, Inject, Optional, type Type } from '@nestjs/common';
import * as z from 'zod';
import { BusServer } from './bus-server.ts';
import { arrivingEvent } from './event-message.ts';
import { HandleRequest, type InputOf, type ReplyOf } from './handlers.ts';
import { Inbox } from './inbox.ts';
import { readJson } from './message-content.ts';
import { Outbox } from './outbox.ts';

const parkedAt = timestampOf(sql`parked_at`);

const summaryRow = z.object({
  id: z.string(),
  event: z.string().nullable(),
  attempts: z.number(),
  parked_at: z.string(),
  reason: z.string(),
});
const contentRow = z.object({ content: z.instanceof(Buffer) });

const receivedAndOutgoing = sql`
  SELECT 'in' AS direction, id, event, attempts, parked_at, reason, content FROM parked_events
  UNION ALL
  SELECT 'out', id, name, attempts, parked_at, parked_reason, convert_to(payload::text, 'UTF8')
  FROM outbox WHERE parked_at IS NOT NULL`;

const notFound = (id: string) => new Failure('not-found', `no parked event ${id}`);

/** Creates the controller that handles the operator's requests for the parked events of a context. */
export function parkedEventsHandler(context: Context): Type {
  const requests = parkedEventRequests[context];
  type OfOne = InputOf<typeof requests.inspect>;

  @Controller()
  class ParkedEventsHandler {
    constructor(
      @Optional() @Inject(Database) private readonly given: Database | undefined,
      @Optional() @Inject(Outbox) private readonly outbox: Outbox | undefined,
      @Inject(BusServer) private readonly server: BusServer,
    ) {}

    @HandleRequest(requests.list)
    async list({ cursor, limit }: InputOf<typeof requests.list>) {
      const offset = decodeCursor(cursor);
      const rows = await this.#database.many(
        summaryRow,
        sql`SELECT direction || '-' || id AS id, event, attempts, ${parkedAt} AS parked_at, reason
            FROM (${receivedAndOutgoing}) AS parked
            ORDER BY parked.parked_at, direction, parked.id
            OFFSET ${offset} LIMIT ${limit + 1}`,
      );
      const items = rows.slice(0, limit).map((row) => ({ ...row, context }));
      return { items, next: rows.length > limit ? encodeCursor(offset + limit) : null };
    }

    @HandleRequest(requests.inspect)
    async inspect({ id }: OfOne): Promise<ReplyOf<typeof requests.inspect>> {
      const { direction, number } = partsOf(id);
      const row = await this.#database.maybeOne(
        summaryRow.extend(contentRow.shape),
        sql`SELECT ${id}::text AS id, event, attempts, ${parkedAt} AS parked_at, reason, content
            FROM (${receivedAndOutgoing}) AS parked
            WHERE direction = ${direction} AND parked.id = ${number}`,
      );
      if (!row) throw notFound(id);
      const { content, ...summary } = row;
      const text = content.toString('utf8');
      const isText = Buffer.from(text).equals(content);
      return {
        ...summary,
        context,
        message: isText ? text : content.toString('base64'),
        encoding: isText ? 'utf8' : 'base64',
      };
    }

    @HandleRequest(requests.replay)
    async replay({ id }: OfOne) {
      const { direction, number } = partsOf(id);
      if (direction === 'in') await this.#handle(id);
      else {
        const replayed = await this.#database.execute(
          sql`UPDATE outbox
              SET parked_at = NULL, parked_reason = NULL, attempts = 0, next_attempt_at = now()
              WHERE id = ${number} AND parked_at IS NOT NULL`,
        );
        if (replayed === 0) throw notFound(id);
        this.outbox?.relayNow();
      }
      return {};
    }

    @HandleRequest(requests.drop)
    async drop({ id }: OfOne) {
      const { direction, number } = partsOf(id);
      if (direction === 'in') await this.#take(id);
      else {
        const dropped = await this.#database.execute(
          sql`DELETE FROM outbox WHERE id = ${number} AND parked_at IS NOT NULL`,
        );
        if (dropped === 0) throw notFound(id);
      }
      return {};
    }

    /** Handles a received message again and deletes it, in one transaction. */
    async #handle(id: string): Promise<void> {
      const database = this.#database;
      await database
        .transaction(async () => {
          const event = readJson(arrivingEvent, await this.#take(id));
          if (!event)
            throw new Failure('invalid', 'the message is not an event: it can only be dropped');
          await new Inbox(database, this.server).handleOnce(event);
        })
        .catch((error: unknown) => {
          // The operator sees the reason of the handler's failure.
          throw Failure.from(error);
        });
    }

    /** Deletes a message that was received, and returns its content. */
    async #take(id: string): Promise<Buffer> {
      const row = await this.#database.maybeOne(
        contentRow,
        sql`DELETE FROM parked_events WHERE id = ${partsOf(id).number} RETURNING content`,
      );
      if (!row) throw notFound(id);
      return row.content;
    }

    get #database(): Database {
      if (!this.given)
        throw new Failure('not-found', `${context} has no database and no parked events`);
      return this.given;
    }
  }
  return ParkedEventsHandler;
}

/** Splits the id of a parked event, such as `in-7`: received (`in`) or outgoing (`out`), and a number. */
function partsOf(id: string): { direction: string; number: string } {
  const [direction = '', number = ''] = id.split('-');
  return { direction, number };
}
