import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Registrations that clients see before the provider has them. waiting: queued to be created there;
 * local: never created there.
 */
export class WaitingRegistrations1760000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE registrations
        DROP CONSTRAINT registrations_provider_state_check,
        DROP CONSTRAINT registrations_check,
        ADD COLUMN initialise_after timestamptz, -- of a waiting one: not claimed before that time
        ADD COLUMN initialise_attempts integer NOT NULL DEFAULT 0, -- that have started
        ADD CONSTRAINT registrations_provider_state_check CHECK (
          provider_state IN ('pending', 'refused', 'ready', 'waiting', 'local')
        ),
        ADD CONSTRAINT registrations_settle_check CHECK (
          (provider_state IN ('pending', 'refused')) = (settle_after IS NOT NULL)
        ),
        ADD CONSTRAINT registrations_initialise_check CHECK (
          (provider_state = 'waiting') = (initialise_after IS NOT NULL)
        )`);
    await runner.query(`
      CREATE INDEX registrations_to_initialise
        ON registrations (provider_application_id, initialise_after, id)
        WHERE provider_state = 'waiting' AND active`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
