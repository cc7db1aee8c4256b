import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The primary key of courses begins with the provider application, as partitions by it require. */
export class CourseKeys1760000000340 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE courses
        DROP CONSTRAINT courses_pkey, ADD PRIMARY KEY (provider_application_id, id)`);
    // For lists of several provider applications, which are in the order of ids.
    await runner.query('CREATE INDEX courses_by_id ON courses (id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
