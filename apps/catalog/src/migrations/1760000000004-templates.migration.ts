import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** Templates of realms (contract/templates#record). */
export class Templates1760000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE templates (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        realm_id integer NOT NULL,
        name text NOT NULL,
        body text NOT NULL,
        markup text,
        mimetype text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        UNIQUE (realm_id, name)
      )`);
    await runner.query('CREATE INDEX templates_by_realm ON templates (realm_id, id)');
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only');
  }
}
