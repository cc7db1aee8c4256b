import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The indexes that replace the primary key of registrations. A transaction of its own, because the
 * replacement blocks reads too.
 */
export class IndexesOfRegistrationKeys1760000000291 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Block writes to the table, about 1 s for a million registrations.
    await runner.query(`
      CREATE UNIQUE INDEX registrations_key ON registrations (provider_application_id, id)`);
    // For lists of several provider applications, which are in the order of ids.
    await runner.query('CREATE INDEX registrations_by_id ON registrations (id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
