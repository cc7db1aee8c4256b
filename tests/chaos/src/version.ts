import { appendFile, cp, glob, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A version of the system: the directory of a built checkout. */
export type Version = string;

/** The version of this checkout. */
export const thisVersion: Version = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the entry point of an app of a version. */
export const entryOf = (version: Version, app: string): string =>
  join(version, 'apps', app, 'dist/main.js');

/** A table of each context that the clients of a run use. */
const busyTables = {
  provider: 'registrations',
  identity: 'api_keys',
  catalog: 'courses',
  enrolment: 'registrations',
  crawler: 'applications',
} as const;

/**
 * Creates a next version: a copy of this one in which every context has one more migration, which
 * adds a column and an index to a table in use.
 */
export async function makeNextVersion(directory: string): Promise<Version> {
  const next = join(directory, 'next-version');
  await mkdir(next);
  for await (const path of glob('{apps,libs}/*/{package.json,dist}', { cwd: thisVersion })) {
    await cp(join(thisVersion, path), join(next, path), { recursive: true });
  }
  // Packages of a workspace whose version differs from the one that others use.
  for await (const path of glob('{apps,libs}/*/node_modules', { cwd: thisVersion })) {
    await symlink(join(thisVersion, path), join(next, path));
  }
  await linkPackages(next);
  // The gateway serves them.
  await symlink(join(thisVersion, 'docs'), join(next, 'docs'));
  for (const [context, table] of Object.entries(busyTables)) {
    const schema = join(next, 'apps', context, 'dist/schema.js');
    await appendFile(schema, nextMigration(context, table));
  }
  return next;
}

/** Links the installed packages of this version; workspace packages resolve to those of the new version. */
async function linkPackages(version: Version): Promise<void> {
  const workspace = '@registrar';
  const packages = join(version, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(thisVersion, 'node_modules'))) {
    if (name !== workspace) {
      await symlink(join(thisVersion, 'node_modules', name), join(packages, name));
    }
  }
  await cp(join(thisVersion, 'node_modules', workspace), join(packages, workspace), {
    recursive: true,
    verbatimSymlinks: true,
  });
}

const nextMigration = (context: string, table: string) => `
${context}Schema.migrations.push(class Next9000000000000 {
  async up(runner) {
    await runner.query('ALTER TABLE ${table} ADD COLUMN next_version text');
    await runner.query('CREATE INDEX ${table}_next_version ON ${table} (next_version)');
  }
});
`;
