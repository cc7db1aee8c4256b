import { createSchemaIfMissing } from '@registrar/persistence';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createReportViews } from './report-views.ts';

/** The views of stored queries, in a schema of their own. */
export class ReportViews1760000000202 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await createSchemaIfMissing(runner, 'reports');
    await createReportViews(runner, 'integer');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
