import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the outbox, the inbox, the idempotency store and the parked events. */
class Bus1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Events that are to be delivered.
      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        message_id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
        name text NOT NULL,
        payload jsonb NOT NULL,
        subscribers text[] NOT NULL,
        -- the apps that receive the event as a broadcast
        listeners text[] NOT NULL DEFAULT '{}',
        request_id text NOT NULL,
        -- the trace context of the publishing span; null without tracing
        trace jsonb,
        created_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        parked_at timestamptz,
        parked_reason text
      );
      CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE parked_at IS NULL;

      -- Events that were handled.
      CREATE TABLE inbox (
        message_id uuid PRIMARY KEY,
        handled_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX inbox_handled_at ON inbox (handled_at);

      -- The outcomes of requests that carried an idempotency key.
      CREATE TABLE outcomes (
        key_hash bytea PRIMARY KEY,
        outcome text, -- encrypted under the key; null only inside its transaction
        kept_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX outcomes_kept_at ON outcomes (kept_at);

      -- With which parameters clients have used their idempotency keys. Both are hashes.
      CREATE TABLE key_uses (
        key_hash bytea PRIMARY KEY,
        parameters_hash bytea NOT NULL,
        used_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX key_uses_used_at ON key_uses (used_at);

      -- Events whose handler has failed too often.
      CREATE TABLE parked_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        message_id text NOT NULL UNIQUE,
        event text,
        content bytea NOT NULL, -- as it arrived
        attempts integer NOT NULL,
        reason text NOT NULL,
        parked_at timestamptz NOT NULL DEFAULT now()
      );`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** The migrations of the bus's tables. Every context with a database lists them before its own. */
export const busMigrations: (new () => MigrationInterface)[] = [Bus1700000000000];
