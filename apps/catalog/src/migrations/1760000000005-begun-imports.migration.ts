import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How far the import of an upload has come, so that a repeated create does not start it again. */
export class BegunImports1760000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE package_uploads
        ADD COLUMN imported_over integer, -- the course's version before, -1 for no course; null: not started
        ADD COLUMN import_job text -- null until the provider has returned it`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
