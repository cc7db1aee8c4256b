import { createHash } from 'node:crypto';
import { Failure, type FailureCode, type Idempotency } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { currentRequestContext, Sealing } from '@registrar/platform';
import { Inject, Injectable, Optional } from '@nestjs/common';
import * as z from 'zod';
import { replyOf, type RequestOutcome } from './envelope.ts';

/** The failures that are stored. After any other failure a repetition runs the handler again. */
const cacheableFailures: readonly FailureCode[] = [
  'invalid',
  'unauthenticated',
  'not-found',
  'unchanged',
  'refused-by-provider',
];

/**
 * Stores the outcomes of requests, so that a request that is repeated under the same idempotency key
 * takes effect once and gets the same reply. A repetition that arrives while the first request runs
 * waits for it. Outcomes are kept for 24 hours.
 *
 * Replies may contain secrets and personal data. They are encrypted with a key derived from the
 * idempotency key, of which the database has only a hash: the table alone reveals neither.
 */
@Injectable()
export class IdempotencyStore {
  constructor(@Optional() @Inject(Database) private readonly database: Database | undefined) {}

  /** Runs the handler of a request, or returns the outcome stored under its idempotency key. */
  handle(idempotency: Idempotency, handle: () => Promise<unknown>): Promise<unknown> {
    const { idempotencyKey: key, isPrivateKey } = currentRequestContext() ?? {};
    if (!this.database || key === undefined || idempotency === 'natural') return handle();
    if (idempotency === 'recorded' && isPrivateKey) return handle();
    return idempotency === 'transactional'
      ? this.#transactional(this.database, new StoreKey(key), handle)
      : this.#resumable(this.database, new StoreKey(key), handle);
  }

  /**
   * Runs the last step of a `resumable` request in one transaction with the storing of its reply.
   * For handlers whose last step deletes the state from which they would resume.
   */
  async commitReply<Reply>(work: () => Promise<Reply>): Promise<Reply> {
    const key = currentRequestContext()?.idempotencyKey;
    if (!this.database) throw new Error('the idempotency store needs a database');
    if (key === undefined) return this.database.transaction(work);
    return (await this.#transactional(this.database, new StoreKey(key), work)) as Reply;
  }

  async #transactional(database: Database, key: StoreKey, handle: () => Promise<unknown>) {
    const outcome = await database.transaction(async () => {
      // The insert waits for a running transaction with the same key.
      const inserted = await database.execute(
        sql`INSERT INTO outcomes (key_hash) VALUES (${key.hash}) ON CONFLICT DO NOTHING`,
      );
      if (inserted === 0) return (await storedOutcome(database, key)) ?? throwExpired();
      const outcome = await outcomeOf(() => database.savepoint(handle));
      await database.execute(
        sql`UPDATE outcomes SET outcome = ${key.seal(outcome)} WHERE key_hash = ${key.hash}`,
      );
      return outcome;
    });
    return replyOf(outcome);
  }

  async #resumable(database: Database, key: StoreKey, handle: () => Promise<unknown>) {
    const stored = await storedOutcome(database, key);
    if (stored) return replyOf(stored);
    const outcome = await outcomeOf(handle);
    const inserted = await database.execute(
      sql`INSERT INTO outcomes (key_hash, outcome) VALUES (${key.hash}, ${key.seal(outcome)})
          ON CONFLICT DO NOTHING`,
    );
    // If another replica or commitReply() stored an outcome first, that outcome is returned.
    return replyOf(inserted > 0 ? outcome : ((await storedOutcome(database, key)) ?? outcome));
  }
}

/** An idempotency key: its hash, which is stored, and the encryption of the outcome under it. */
class StoreKey {
  readonly hash: Buffer;
  readonly #sealing: Sealing;

  constructor(key: string) {
    const digest = (use: string) => createHash('sha256').update(`${use} ${key}`).digest();
    this.hash = digest('known by');
    this.#sealing = new Sealing(digest('sealed under'));
  }

  seal(outcome: RequestOutcome): string {
    return this.#sealing.seal(JSON.stringify(outcome), this.hash.toString('hex'));
  }

  open(sealed: string): RequestOutcome {
    return JSON.parse(this.#sealing.open(sealed, this.hash.toString('hex'))) as RequestOutcome;
  }
}

const outcomeRow = z.object({ outcome: z.string() });

async function storedOutcome(database: Database, key: StoreKey): Promise<RequestOutcome | null> {
  const row = await database.maybeOne(
    outcomeRow,
    sql`SELECT outcome FROM outcomes WHERE key_hash = ${key.hash}`,
  );
  return row ? key.open(row.outcome) : null;
}

/** Returns the outcome of a handler. @throws any error that is not a cacheable failure */
async function outcomeOf(handle: () => Promise<unknown>): Promise<RequestOutcome> {
  try {
    return { reply: await handle() };
  } catch (error) {
    if (error instanceof Failure && cacheableFailures.includes(error.code)) {
      return { failure: error.toWire() };
    }
    throw error;
  }
}

function throwExpired(): never {
  throw new Failure(
    'unavailable',
    'the stored outcome was pruned during the lookup; repeat the request',
  );
}
