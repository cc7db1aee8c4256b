import { createTrigramExtension } from '@registrar/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Indexes for regular expressions over registrations (contract/registrations#filter-expressions).
 */
export class RegistrationPatterns1760000000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTrigramExtension(runner);
    await runner.query(`
      CREATE INDEX registrations_learner_trigrams
        ON registrations USING gin (learner_id public.gin_trgm_ops)`);
    await runner.query(`
      CREATE INDEX registrations_course_trigrams
        ON registrations USING gin (course_guid public.gin_trgm_ops)`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
