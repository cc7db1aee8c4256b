import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Clients may use a replaced secret key of a provider application for a time. */
export class ProviderSecretOverlap1760000000380 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_applications
        ADD COLUMN previous_fingerprint bytea, ADD COLUMN previous_valid_until timestamptz`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
