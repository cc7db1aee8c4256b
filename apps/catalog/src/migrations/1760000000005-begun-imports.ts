import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** How far the import of an upload has come, so that a create which is repeated begins no other. */
export class BegunImports1760000000005 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE package_uploads
        ADD COLUMN imported_over integer, -- the course's version before it, -1 for none; null: not begun
        ADD COLUMN import_job text -- the provider's, once it has answered`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
