import type { Context } from '@registrar/contracts';

/** The schemas that the role of each context, and of the console, owns. No other role can read them. */
export const contextSchemas: Readonly<Record<Context | 'console', readonly string[]>> = {
  identity: ['identity'],
  catalog: ['catalog'],
  enrolment: ['enrolment', 'reports'],
  crawler: ['crawler'],
  provider: ['provider'],
  console: ['console'],
};

/**
 * How much each server process of a role may keep in temporary files, for sorts and joins: as much as
 * the largest result of a stored query needs, twice.
 */
export const tempFileLimit = '512MB';

/** Enrolment validates a stored query by creating a temporary view of it. */
const privileges = (context: string) =>
  context === 'enrolment' ? 'CONNECT, TEMPORARY' : 'CONNECT';

/**
 * SQL that creates a role per context, which owns the context's schemas and has no other privilege.
 * It is run by a superuser in the installation's database, any number of times, and also migrates
 * an installation whose contexts shared one role. The roles have no password.
 *
 * @param prefix of the roles' names: roles belong to the server, not to a database
 */
export function roleStatements(prefix: string): string {
  const quoted = (name: string) => `"${name}"`;
  const contexts = Object.entries(contextSchemas).map(([context, owned]) => {
    const role = quoted(`${prefix}${context}`);
    return `
DO $$
DECLARE relation regclass;
BEGIN
  IF to_regrole('${role}') IS NULL THEN CREATE ROLE ${role} LOGIN; END IF;
  ALTER ROLE ${role} SET temp_file_limit = '${tempFileLimit}';
  EXECUTE format('GRANT ${privileges(context)} ON DATABASE %I TO ${role}', current_database());
${owned
  .map(
    (schema) => `  CREATE SCHEMA IF NOT EXISTS ${schema};
  ALTER SCHEMA ${schema} OWNER TO ${role};`,
  )
  .join('\n')}
  -- The owner of a table also becomes the owner of its sequences.
  FOR relation IN
    SELECT c.oid FROM pg_class AS c
    WHERE c.relnamespace = ANY ('{${owned.join(',')}}'::regnamespace[])
      AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
      AND NOT EXISTS (
        SELECT FROM pg_depend AS d
        WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
          AND c.relkind = 'S'
      )
  LOOP
    EXECUTE format('ALTER TABLE %s OWNER TO ${role}', relation);
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
