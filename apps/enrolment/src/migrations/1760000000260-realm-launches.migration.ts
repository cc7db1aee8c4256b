import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Launches of a realm that is disabled are ended. */
export class RealmLaunches1760000000260 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE realms (
        id bigint PRIMARY KEY,
        version bigint NOT NULL,
        launches_end_before timestamptz NOT NULL
      )`);
    // Blocks writes to the table, about 1 s for a million registrations.
    await runner.query(`
      CREATE INDEX registrations_by_launch ON registrations (realm_id, launched_at)
        WHERE launched_at IS NOT NULL`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
