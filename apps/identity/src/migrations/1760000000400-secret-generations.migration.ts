import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Counts the secret keys of realms and provider applications. */
export class SecretGenerations1760000000400 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['realms', 'provider_applications']) {
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN secret_generation bigint NOT NULL DEFAULT 0`,
      );
    }
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
