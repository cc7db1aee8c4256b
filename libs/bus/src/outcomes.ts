import { createHash } from 'node:crypto';
import {
  Failure,
  type FailureCode,
  type ListContract,
  type RequestContract,
  type WireFailure,
} from '#libs/contracts';
import { type Database } from '#libs/persistence';
import { currentOperation, Sealing } from '#libs/platform';
import { forget } from './forget.ts';

/** How long an outcome is kept: hours. */
const memory = 24;

/** The failures that a repetition gets too; after the others it may succeed. */
const lasting: readonly FailureCode[] = [
  'invalid',
  'unauthenticated',
  'not-found',
  'unchanged',
  'refused-by-provider',
];

/** How a request ended: one of them is there, but for a handler that answers nothing. */
interface Outcome {
  readonly reply?: unknown;
  readonly failure?: WireFailure;
}

/**
 * Keeps how changing requests ended, so that one which is repeated, under the same idempotency key,
 * ends alike and has one effect. A repetition that comes while the first still runs waits for it.
 *
 * Replies may hold secrets and personal data: they are sealed under the request's key, of which
 * only a hash is kept. Whoever has the database, but not the key, learns nothing from it.
 */
export class Outcomes {
  constructor(private readonly database: Database | null) {}

  /** Handles a request of the current operation, or answers what it was answered before. */
  answer(contract: RequestContract | ListContract, handle: () => Promise<unknown>) {
    const changes = contract.kind === 'request' ? contract.changes : null;
    const key = currentOperation()?.idempotencyKey;
    if (!this.database || key === undefined) return handle();
    if (changes === 'once') return this.#once(this.database, new OutcomeKey(key), handle);
    if (changes === 'resumed') return this.#resumed(this.database, new OutcomeKey(key), handle);
    return handle();
  }

  /**
   * The last step of a `resumed` request, in a transaction that keeps its reply: for handlers that
   * drop what they would need to be resumed once more.
   */
  async conclude<Reply>(work: () => Promise<Reply>): Promise<Reply> {
    const key = currentOperation()?.idempotencyKey;
    if (!this.database) throw new Error('outcomes are kept in a database');
    if (key === undefined) return this.database.transaction(work);
    return (await this.#once(this.database, new OutcomeKey(key), work)) as Reply;
  }

  async #once(database: Database, key: OutcomeKey, handle: () => Promise<unknown>) {
    const outcome = await database.transaction(async () => {
      // Waits for whoever has begun under the same key.
      const begun = await database.query(
        'INSERT INTO outcomes (key_hash) VALUES ($1) ON CONFLICT DO NOTHING RETURNING key_hash',
        [key.hash],
      );
      if (begun.length === 0) return (await keptOutcome(database, key)) ?? forgotten();
      const ended = await outcomeOf(() => database.savepoint(handle));
      await database.query('UPDATE outcomes SET outcome = $2 WHERE key_hash = $1', [
        key.hash,
        key.seal(ended),
      ]);
      return ended;
    });
    return replyOf(outcome);
  }

  async #resumed(database: Database, key: OutcomeKey, handle: () => Promise<unknown>) {
    const known = await keptOutcome(database, key);
    if (known) return replyOf(known);
    const ended = await outcomeOf(handle);
    const kept = await database.query(
      `INSERT INTO outcomes (key_hash, outcome) VALUES ($1, $2)
       ON CONFLICT DO NOTHING RETURNING key_hash`,
      [key.hash, key.seal(ended)],
    );
    // Another replica, or the handler's last step, was first: all answer alike.
    return replyOf(kept.length > 0 ? ended : ((await keptOutcome(database, key)) ?? ended));
  }
}

/** A request's key, as far as the database may know it. */
class OutcomeKey {
  readonly hash: Buffer;
  readonly #sealing: Sealing;

  constructor(key: string) {
    const digest = (use: string) => createHash('sha256').update(`${use} ${key}`).digest();
    this.hash = digest('known by');
    this.#sealing = new Sealing(digest('sealed under'));
  }

  seal(outcome: Outcome): string {
    return this.#sealing.seal(JSON.stringify(outcome), this.hash.toString('hex'));
  }

  open(sealed: string): Outcome {
    return JSON.parse(this.#sealing.open(sealed, this.hash.toString('hex'))) as Outcome;
  }
}

async function keptOutcome(database: Database, key: OutcomeKey): Promise<Outcome | null> {
  const [row] = await database.query<{ outcome: string }>(
    'SELECT outcome FROM outcomes WHERE key_hash = $1',
    [key.hash],
  );
  return row ? key.open(row.outcome) : null;
}

/** @throws what says nothing about the next attempt */
async function outcomeOf(handle: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { reply: await handle() };
  } catch (error) {
    if (error instanceof Failure && lasting.includes(error.code)) {
      return { failure: error.toWire() };
    }
    throw error;
  }
}

function replyOf({ reply, failure }: Outcome): unknown {
  if (failure) throw Failure.fromWire(failure);
  return reply;
}

function forgotten(): never {
  throw new Failure('unavailable', 'the outcome was forgotten while it was looked up');
}

/** Forgets the outcomes of requests that nobody repeats any more. */
export const pruneOutcomes = (database: Database): Promise<boolean> =>
  forget(database, `outcomes WHERE kept_at < now() - interval '${memory} hours'`);
