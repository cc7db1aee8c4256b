import type { Context } from '#libs/contracts';

/** What each context's role owns in the database, and nobody else reads. */
export const schemasOfContexts: Readonly<Record<Context, readonly string[]>> = {
  identity: ['identity'],
  catalog: ['catalog'],
  enrolment: ['enrolment', 'reports'],
  crawler: ['crawler'],
  provider: ['provider'],
};

/** Enrolment checks a stored query by making a temporary view of it. */
const rights = (context: string) => (context === 'enrolment' ? 'CONNECT, TEMPORARY' : 'CONNECT');

/**
 * SQL that gives every context a role of its own, which owns its schemas with all that is in them
 * and reaches nothing else. For a superuser, in the installation's database; it can be run again,
 * and takes an installation over whose contexts have shared a role. Roles that it makes have no
 * password.
 *
 * @param prefix begins the roles' names: roles belong to the server, not to a database
 */
export function roleStatements(prefix: string): string {
  const quoted = (name: string) => `"${name}"`;
  const contexts = Object.entries(schemasOfContexts).map(([context, owned]) => {
    const role = quoted(`${prefix}${context}`);
    return `
DO $$
DECLARE thing regclass;
BEGIN
  IF to_regrole('${role}') IS NULL THEN CREATE ROLE ${role} LOGIN; END IF;
  EXECUTE format('GRANT ${rights(context)} ON DATABASE %I TO ${role}', current_database());
${owned
  .map(
    (schema) => `  CREATE SCHEMA IF NOT EXISTS ${schema};
  ALTER SCHEMA ${schema} OWNER TO ${role};`,
  )
  .join('\n')}
  -- A table takes its own sequences along.
  FOR thing IN
    SELECT c.oid FROM pg_class AS c
    WHERE c.relnamespace = ANY ('{${owned.join(',')}}'::regnamespace[])
      AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (
        SELECT FROM pg_depend AS d
        WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
          AND c.relkind = 'S'
      )
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO ${role}', thing);
  END LOOP;
END $$;
`;
  });
  return `CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$;
${contexts.join('')}`;
}
