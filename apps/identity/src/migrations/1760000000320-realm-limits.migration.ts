import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Gives realms limits of their own; null means the defaults. */
export class RealmLimits1760000000320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE realms ADD COLUMN limits jsonb');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
