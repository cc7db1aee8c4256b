import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { createReportViews, dropReportViews } from './report-views.ts';

/** Makes ids bigint. PostgreSQL changes the sequences of identity columns with them. */
export class BigintIds1760000000220 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await dropReportViews(runner);
    for (const [table, columns] of Object.entries(idColumns)) {
      const changes = columns.map((column) => `ALTER COLUMN ${column} TYPE bigint`);
      await runner.query(`ALTER TABLE ${table} ${changes.join(', ')}`);
    }
    await createReportViews(runner, 'bigint');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}

const idColumns = {
  courses: ['id', 'provider_application_id'],
  registrations: ['id', 'realm_id', 'provider_application_id', 'user_id'],
  invitations: ['id', 'realm_id', 'invitation_template_id'],
  invitation_courses: ['invitation_id', 'provider_application_id'],
  invitation_seats: ['invitation_id'],
  invitation_learners: ['id', 'invitation_id', 'user_id'],
  invitation_registrations: ['invitation_id', 'registration_id'],
  stored_queries: ['id', 'realm_id', 'provider_application_id'],
};
