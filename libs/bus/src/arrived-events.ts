import { type Database, join, raw, sql, type Sql } from '@registrar/persistence';
import * as z from 'zod';
import type { ArrivingEvent } from './event-message.ts';

const insertedRow = z.object({ messageId: z.string() });

/** Events of one name that have arrived, some of which may have been handled before. */
export class ArrivedEvents<Payload = unknown> {
  #inserted: ReadonlySet<string> | null = null;

  constructor(
    private readonly database: Database,
    private readonly events: readonly ArrivingEvent[],
  ) {}

  /** The payloads of all events, also of those that were handled before. */
  get payloads(): readonly Payload[] {
    return this.events.map(({ payload }) => payload as Payload);
  }

  /**
   * Runs statements that change something as one statement, together with the inbox rows of the events. They read the
   * events that were not handled before from the query `events`, whose one column is `payload`, of type jsonb. They do
   * not see each other's changes.
   */
  async apply(...statements: readonly Sql[]): Promise<void> {
    const payloads = new Map(this.events.map(({ messageId, payload }) => [messageId, payload]));
    const ids = [...payloads.keys()];
    const texts = [...payloads.values()].map((payload) => JSON.stringify(payload));
    const effects = statements.map(
      (statement, index) => sql`, ${raw(`effect_${index}`)} AS (${statement})`,
    );
    const rows = await this.database.many(
      insertedRow,
      sql`WITH received AS (
            INSERT INTO inbox (message_id)
            SELECT id FROM unnest(${ids}::uuid[]) AS m (id)
            ORDER BY id
            ON CONFLICT DO NOTHING
            RETURNING message_id
          ), events AS (
            SELECT e.payload::jsonb AS payload
            FROM received
            JOIN unnest(${ids}::uuid[], ${texts}::text[]) AS e (message_id, payload)
              USING (message_id)
          ) ${join(effects, '')}
          SELECT message_id AS "messageId" FROM received`,
    );
    this.#inserted = new Set(rows.map(({ messageId }) => messageId));
  }

  /** The ids of the messages that were not handled before. @throws {Error} unless the events were applied */
  get inserted(): ReadonlySet<string> {
    if (!this.#inserted) throw new Error('a handler has not applied its events');
    return this.#inserted;
  }
}
