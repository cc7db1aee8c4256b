import type { Database } from '#libs/persistence';
import type { Logger } from '#libs/platform';
import { Failure } from '#libs/contracts';
import type { OutgoingEvent } from './inbox.ts';
import { nextDelay, retryDelays } from './retry-ladder.ts';

/** How many events a relay takes at a time, and how often it looks by itself: milliseconds. */
const batchSize = 100;
const interval = 1_000;

/** How long a claim keeps other replicas away: seconds. */
const claimSeconds = 60;

interface OutboxRow {
  id: string;
  message_id: string;
  name: string;
  payload: unknown;
  request_id: string;
  subscribers: string[];
  attempts: number;
}

interface ClaimedRow {
  readonly id: number;
  readonly attempts: number;
  readonly event: OutgoingEvent;
}

/** How a transport passes an event on; it throws while the event could not be delivered. */
export type Deliver = (event: OutgoingEvent) => Promise<void>;

/** Passes on what an app has written to its outbox, at once and, as a net, every second. */
export class OutboxRelay {
  #running: Promise<void> | null = null;
  #again = false;
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly deliver: Deliver,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.kick(), interval);
    this.kick();
  }

  kick(): void {
    if (this.#stopped) return;
    this.#again = true;
    this.#running ??= this.database
      .detached(() => this.run())
      .finally(() => {
        this.#running = null;
        if (this.#again) this.kick();
      });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#running;
  }

  private async run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        while ((await this.relayBatch()) === batchSize && !this.#stopped);
      } catch (error) {
        this.log.warn({ reason: Failure.from(error).message }, 'the outbox could not be relayed');
        return;
      }
    }
  }

  private async relayBatch(): Promise<number> {
    const rows = await this.claim();
    const outcomes = await Promise.allSettled(rows.map((row) => this.deliver(row.event)));
    const delivered = rows.filter((_row, index) => outcomes[index]?.status === 'fulfilled');
    if (delivered.length > 0) {
      await this.database.query('DELETE FROM outbox WHERE id = ANY($1)', [
        delivered.map((row) => row.id),
      ]);
    }
    for (const [index, outcome] of outcomes.entries()) {
      const row = rows[index];
      if (row && outcome.status === 'rejected') await this.postpone(row, outcome.reason);
    }
    return rows.length;
  }

  /** Takes due rows for a while: another replica gets them if this one never comes back. */
  private async claim(): Promise<ClaimedRow[]> {
    const rows = await this.database.query<OutboxRow>(
      `UPDATE outbox SET next_attempt_at = now() + interval '${claimSeconds} s', attempts = attempts + 1
       WHERE id IN (
         SELECT id FROM outbox WHERE parked_at IS NULL AND next_attempt_at <= now()
         ORDER BY id LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
       )
       RETURNING id, message_id, name, payload, request_id, subscribers, attempts`,
    );
    return rows
      .map(({ id, attempts, ...row }) => ({
        id: Number(id),
        attempts,
        event: {
          messageId: row.message_id,
          name: row.name,
          payload: row.payload,
          requestId: row.request_id,
          subscribers: row.subscribers,
        },
      }))
      .sort((one, other) => one.id - other.id);
  }

  private async postpone(row: ClaimedRow, reason: unknown): Promise<void> {
    const { message, code } = Failure.from(reason);
    // A subscriber that is away is no fault of the event.
    const delay = code === 'unavailable' ? retryDelays[0] : nextDelay(row.attempts);
    const { name, messageId } = row.event;
    this.log.warn(
      { event: name, messageId, attempts: row.attempts, reason: message, delay },
      delay === null ? 'an event was parked' : 'an event comes again later',
    );
    await (delay === null
      ? this.database.query(
          'UPDATE outbox SET parked_at = now(), parked_reason = $2 WHERE id = $1',
          [row.id, message],
        )
      : this.database.query(
          `UPDATE outbox SET next_attempt_at = now() + $2 * interval '1 ms' WHERE id = $1`,
          [row.id, delay],
        ));
  }
}
