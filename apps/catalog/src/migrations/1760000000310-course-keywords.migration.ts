import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Keywords as other contexts know them: the next crawl of each course publishes its own. */
export class CourseKeywords1760000000310 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE courses ADD COLUMN keywords text[]');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
