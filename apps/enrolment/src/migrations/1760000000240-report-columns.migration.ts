import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { extendReportViews } from './report-views.ts';

/** The keywords of courses, and more columns in the views of stored queries. */
export class ReportColumns1760000000240 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE courses ADD COLUMN keywords text[] NOT NULL DEFAULT '{}'`);
    await extendReportViews(runner);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
