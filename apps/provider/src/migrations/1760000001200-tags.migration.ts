import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Courses and registrations get tags. The indexes contain only rows that have some. */
export class Tags1760000001200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE courses ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
      ALTER TABLE registrations ADD COLUMN tags text[] NOT NULL DEFAULT '{}';
      CREATE INDEX courses_by_tag ON courses USING gin (tags) WHERE tags <> '{}';
      CREATE INDEX registrations_by_tag ON registrations USING gin (tags) WHERE tags <> '{}';
    `);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
