import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What other contexts may keep copies of, with the column that names whose it is. */
const noted = [
  {
    table: 'courses',
    changes: 'course_changes',
    owner: 'provider_application_id',
    shown: [
      'title',
      'given_title',
      'size',
      'versions',
      'registrations',
      'metadata::text',
      'custom',
      'deleted',
      'updated_at',
    ],
  },
  {
    table: 'templates',
    changes: 'template_changes',
    owner: 'realm_id',
    shown: ['name', 'body', 'markup', 'mimetype', 'updated_at'],
  },
];

const columns = (row: string, names: readonly string[]) =>
  `(${names.map((name) => `${row}.${name}`).join(', ')})`;

/**
 * Notes the transactions that change the courses of a provider application or the templates of a
 * realm. Triggers do it, so that no statement can forget it. A row of its own for each transaction
 * makes no writer wait for another, as a counter would.
 */
export class Changes1760000000330 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { table, changes, owner, shown } of noted) {
      await runner.query(`
        CREATE TABLE ${changes} (
          ${owner} bigint NOT NULL,
          transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
          PRIMARY KEY (${owner}, transaction)
        )`);
      await runner.query(`
        CREATE FUNCTION note_${changes}() RETURNS trigger
          LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
          INSERT INTO ${changes} (${owner}) SELECT DISTINCT ${owner} FROM changed
            ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $$`);
      await runner.query(`
        CREATE FUNCTION note_${changes}_of_row() RETURNS trigger
          LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
        BEGIN
          INSERT INTO ${changes} (${owner}) VALUES (NEW.${owner}) ON CONFLICT DO NOTHING;
          RETURN NULL;
        END $$`);
      await runner.query(`
        CREATE TRIGGER note_inserts AFTER INSERT ON ${table}
          REFERENCING NEW TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION note_${changes}()`);
      await runner.query(`
        CREATE TRIGGER note_deletes AFTER DELETE ON ${table}
          REFERENCING OLD TABLE AS changed
          FOR EACH STATEMENT EXECUTE FUNCTION note_${changes}()`);
      // Crawls update the rows of courses that did not change.
      await runner.query(`
        CREATE TRIGGER note_updates AFTER UPDATE ON ${table}
          FOR EACH ROW
          WHEN (${columns('OLD', shown)} IS DISTINCT FROM ${columns('NEW', shown)})
          EXECUTE FUNCTION note_${changes}_of_row()`);
    }
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
