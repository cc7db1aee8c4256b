import { createTrigramExtension } from '@registrar/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** A trigram index for filters with regular expressions, on one or several of the three fields. */
export class CoursePatterns1760000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createTrigramExtension(runner);
    await runner.query(`
      CREATE INDEX courses_by_trigrams ON courses USING gin (
        course_guid public.gin_trgm_ops, title public.gin_trgm_ops, custom public.gin_trgm_ops
      ) WHERE NOT deleted`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
