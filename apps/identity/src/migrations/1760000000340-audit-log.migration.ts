import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Adds the audit log. A trigger refuses to change or remove entries before their time. The role of
 * identity owns the table: it, like a superuser, could drop the trigger first.
 */
export class AuditLog1760000000340 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Without foreign keys: an entry outlives what it tells of.
    await runner.query(`
      CREATE TABLE audit_log (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        occurred_at timestamptz NOT NULL DEFAULT now(),
        kept_until timestamptz NOT NULL,
        realm_id bigint,
        actor text NOT NULL,
        actor_id bigint,
        client_address inet,
        request_id text NOT NULL,
        action text NOT NULL,
        subject jsonb NOT NULL DEFAULT '{}'
      )`);
    await runner.query('CREATE INDEX audit_log_by_time ON audit_log (occurred_at, id)');
    await runner.query('CREATE INDEX audit_log_by_realm ON audit_log (realm_id, occurred_at, id)');
    await runner.query(
      `CREATE INDEX audit_log_by_key ON audit_log (actor_id) WHERE actor = 'api_key'`,
    );
    await runner.query(`
      CREATE INDEX audit_log_about_key ON audit_log ((subject -> 'api_key_id'))
      WHERE subject -> 'api_key_id' IS NOT NULL`);
    await runner.query('CREATE INDEX audit_log_by_end ON audit_log (kept_until)');
    await runner.query(`
      CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND OLD.kept_until <= now() THEN RETURN OLD; END IF;
        RAISE EXCEPTION 'the audit log is append-only';
      END $$`);
    await runner.query(`
      CREATE TRIGGER keep_entries BEFORE UPDATE OR DELETE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION keep_audit_log()`);
    await runner.query(`
      CREATE TRIGGER keep_table BEFORE TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log()`);
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
