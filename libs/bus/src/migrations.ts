import type { MigrationInterface, QueryRunner } from 'typeorm';

class Bus1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outbox (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        message_id uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
        name text NOT NULL,
        payload jsonb NOT NULL,
        subscribers text[] NOT NULL,
        request_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz NOT NULL DEFAULT now(),
        parked_at timestamptz,
        parked_reason text
      )`);
    await runner.query(
      `CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE parked_at IS NULL`,
    );
    await runner.query(`
      CREATE TABLE inbox (
        message_id uuid PRIMARY KEY,
        handled_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX inbox_handled_at ON inbox (handled_at)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

class BusTrace1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The trace context of the publishing span; null without tracing.
    await runner.query('ALTER TABLE outbox ADD COLUMN trace jsonb');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

class Outcomes1700000000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE outcomes (
        key_hash bytea PRIMARY KEY,
        outcome text, -- encrypted under the key; null only inside its transaction
        kept_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE INDEX outcomes_kept_at ON outcomes (kept_at)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

class ParkedEvents1700000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE parked_events (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        message_id text NOT NULL UNIQUE,
        event text,
        content bytea NOT NULL, -- as it arrived
        attempts integer NOT NULL,
        reason text NOT NULL,
        parked_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

class OutboxListeners1700000000102 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The apps that receive the event as a broadcast.
    await runner.query(`ALTER TABLE outbox ADD COLUMN listeners text[] NOT NULL DEFAULT '{}'`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

class UnverifiedEvents1700000000103 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The authentication headers of a message that could not be verified; null if it was.
    await runner.query('ALTER TABLE parked_events ADD COLUMN authentication jsonb');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

/** The migrations of the bus's tables. Every context with a database lists them before its own. */
export const busMigrations: (new () => MigrationInterface)[] = [
  Bus1700000000000,
  BusTrace1700000000002,
  Outcomes1700000000100,
  ParkedEvents1700000000101,
  OutboxListeners1700000000102,
  UnverifiedEvents1700000000103,
];
