import { appendFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A version of the system: the directory of its checkout, which is built. */
export type Version = string;

/** The version that this run belongs to. */
export const thisVersion: Version = fileURLToPath(new URL('../..', import.meta.url));

/** Where an app of a version begins. */
export const entryOf = (version: Version, app: string): string =>
  join(version, 'dist/apps', app, 'src/main.js');

/** A table of each context that the load of a run uses. */
const busyTables = {
  provider: 'registrations',
  identity: 'api_keys',
  catalog: 'courses',
  enrolment: 'registrations',
  crawler: 'applications',
} as const;

/**
 * Makes the version after this one: the same, but that every context has one more migration, which
 * adds a column and an index to a table in use.
 */
export async function makeNextVersion(directory: string): Promise<Version> {
  const next = join(directory, 'next-version');
  await mkdir(next);
  await cp(join(thisVersion, 'dist'), join(next, 'dist'), { recursive: true });
  await symlink(join(thisVersion, 'node_modules'), join(next, 'node_modules'));
  const description = await readFile(join(thisVersion, 'package.json'), 'utf8');
  await writeFile(join(next, 'package.json'), description);
  for (const [context, table] of Object.entries(busyTables)) {
    const schema = join(next, 'dist/apps', context, 'src/schema.js');
    await appendFile(schema, nextMigration(context, table));
  }
  return next;
}

const nextMigration = (context: string, table: string) => `
${context}Schema.migrations.push(class Next9000000000000 {
  async up(runner) {
    await runner.query('ALTER TABLE ${table} ADD COLUMN next_version text');
    await runner.query('CREATE INDEX ${table}_next_version ON ${table} (next_version)');
  }
});
`;
