import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the secret with which course providers authenticate postbacks for a provider application. */
export class PostbackSecrets1760000000420 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE provider_applications
        ADD COLUMN sealed_postback_secret text, ADD COLUMN postback_secret_hash bytea`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
