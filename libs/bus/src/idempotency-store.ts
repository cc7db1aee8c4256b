import { createHash } from 'node:crypto';
import { Failure, type FailureCode, type Idempotency } from '@registrar/contracts';
import { Database, sql } from '@registrar/persistence';
import { currentRequestContext, type KeyUse, Sealing } from '@registrar/platform';
import { Inject, Injectable, Optional } from '@nestjs/common';
import * as z from 'zod';
import { answerOf, type RequestOutcome } from './envelope.ts';

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

  /**
   * Runs the handler of a request, or returns the outcome stored under its idempotency key.
   *
   * @throws {Failure} `invalid` for a client's key that was used with other parameters
   * (contract/errors#idempotency-key-scope)
   */
  async handle(idempotency: Idempotency, handle: () => Promise<unknown>): Promise<unknown> {
    const { idempotencyKey: key, isPrivateKey, handled } = currentRequestContext() ?? {};
    if (!this.database || key === undefined) return handle();
    if (handled?.keyUse) await requireSameParameters(this.database, handled.keyUse);
    if (idempotency === 'natural') return handle();
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
      if (inserted === 0) return asReplay((await storedOutcome(database, key)) ?? throwExpired());
      const outcome = await outcomeOf(() => database.savepoint(handle));
      await database.execute(
        sql`UPDATE outcomes SET outcome = ${key.seal(outcome)} WHERE key_hash = ${key.hash}`,
      );
      return outcome;
    });
    return answerOf(outcome).reply;
  }

  async #resumable(database: Database, key: StoreKey, handle: () => Promise<unknown>) {
    const stored = await storedOutcome(database, key);
    if (stored) return answerOf(asReplay(stored)).reply;
    const outcome = await outcomeOf(handle);
    const inserted = await database.execute(
      sql`INSERT INTO outcomes (key_hash, outcome) VALUES (${key.hash}, ${key.seal(outcome)})
          ON CONFLICT DO NOTHING`,
    );
    // If another replica or commitReply() stored an outcome first, that outcome is returned.
    const kept = inserted > 0 ? outcome : ((await storedOutcome(database, key)) ?? outcome);
    return answerOf(kept).reply;
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

/**
 * Stores the hash of the parameters with which a client uses its key, with the first use.
 *
 * @throws {Failure} `invalid` for other parameters
 */
async function requireSameParameters(database: Database, { key, parameters }: KeyUse) {
  const [keyHash, hash] = [key, parameters].map((each) => Buffer.from(each, 'base64url'));
  const inserted = await database.execute(
    sql`INSERT INTO key_uses (key_hash, parameters_hash) VALUES (${keyHash}, ${hash})
        ON CONFLICT DO NOTHING`,
  );
  if (inserted > 0) return;
  const others = await database.execute(
    sql`SELECT 1 FROM key_uses WHERE key_hash = ${keyHash} AND parameters_hash <> ${hash}`,
  );
  if (others > 0) {
    throw new Failure(
      'invalid',
      'the Idempotency-Key was used for a request with other parameters',
    );
  }
}

/** Marks a stored outcome, and the request that is being handled, as those of an earlier request. */
function asReplay({ failure, ...outcome }: RequestOutcome): RequestOutcome {
  const { handled } = currentRequestContext() ?? {};
  if (handled) handled.isReplay = true;
  return { ...outcome, ...(failure && { failure: { ...failure, isReplay: true } }) };
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
