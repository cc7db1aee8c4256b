import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** The primary key of courses begins with the provider application, as partitions by it require. */
export class CourseKeys1760000000290 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE courses
        DROP CONSTRAINT courses_pkey, ADD PRIMARY KEY (provider_application_id, id)`);
    // Only the previous version, which runs on during an upgrade, needs it: for ON CONFLICT (id).
    await runner.query('CREATE UNIQUE INDEX courses_of_previous_version ON courses (id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
