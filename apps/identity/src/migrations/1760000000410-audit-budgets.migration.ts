import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Adds the number of entries of the audit log that callers of a realm have caused in its latest hour. */
export class AuditBudgets1760000000410 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Without a foreign key, like the log.
    await runner.query(`
      CREATE TABLE audit_budgets (
        realm_id bigint PRIMARY KEY,
        hour timestamptz NOT NULL,
        entries integer NOT NULL
      )`);
    await runner.query('ALTER TABLE api_keys ADD COLUMN renewal_audited_at timestamptz');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
