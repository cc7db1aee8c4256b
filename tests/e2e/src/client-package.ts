import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildSamplePackage } from '@registrar/sample-courses';
import type { RunningSystem } from '@registrar/standalone/testing';
import { codeBlocksOf } from '@registrar/testing';
import { ClientDeveloper } from './client-developer.ts';
import { clientSources } from './client-sources.ts';

const run = promisify(execFile);
const sources = fileURLToPath(new URL('../../../libs/client/', import.meta.url));

/** What the programs of the README print, by section. */
const printed: Readonly<Record<string, RegExp>> = {
  'Enroll a learner': /^[\da-f-]{36} unknown$/,
  'Launch a course': /^http\S+$/,
  'Read progress': /^learner@example\.com first-aid-basics unknown null$/m,
  'Hand out licenses': /^3 \[[^]*three@example\.com/,
  'Upload a course': /^Fire safety at work$/,
  'Run a stored query': /^\d+$/,
  Errors: /^404 .+ 36$/,
  Retries: /^true$/,
};

/** Packs `@registrar/client` as for publication, and runs the programs of its README, compiled strictly. */
export function describeClientPackage(running: () => RunningSystem): void {
  describe('the client package', () => {
    const programs = codeBlocksOf('libs/client/README.md').filter(
      ({ language }) => language === 'ts',
    );
    const fileOf = (section: string) => `${section.toLowerCase().replaceAll(' ', '-')}.ts`;
    let developer: ClientDeveloper;
    beforeAll(async () => {
      developer = await ClientDeveloper.create(running());
      const { directory } = developer;
      const installed = join(directory.path, 'node_modules/@registrar/client');
      await mkdir(installed, { recursive: true });
      const { stdout } = await run(
        'npm',
        ['pack', '--json', '--pack-destination', directory.path],
        {
          cwd: sources,
        },
      );
      const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
      await directory.run('tar', ['-xzf', filename, '-C', installed, '--strip-components=1']);
      await writeFile(
        join(directory.path, 'fire-safety.zip'),
        await buildSamplePackage('fire-safety'),
      );
      for (const { section, text } of programs) await directory.write(fileOf(section), text);
    });
    afterAll(() => developer.directory.remove());

    it('the generated sources are those of the OpenAPI document', async () => {
      const response = await fetch(`${running().quickstart.base_url}/openapi.json`);
      for (const [name, text] of Object.entries(await clientSources(await response.json()))) {
        expect([name, await readFile(join(sources, 'src', name), 'utf8')]).toEqual([name, text]);
      }
    });

    it('all programs of the README compile strictly', async () => {
      await developer.directory.write('refused.ts', refused);
      await developer.directory.compile();
    });

    it.each(programs.map(({ section }) => section))('the program "%s" runs', async (section) => {
      const output = await developer.run(process.execPath, [fileOf(section)]);
      expect(output.trim()).toMatch(printed[section]!);
    });
  });
}

/** Calls that do not compile. */
const refused = `
import { createClient } from '@registrar/client';
const registrar = createClient({ baseUrl: '', access: { api_key: '' } });
export const calls = () => [
  // @ts-expect-error course_guid is required
  registrar.registrations.create({ learner_id: 'learner@example.com' }),
  // @ts-expect-error there is no such parameter
  registrar.courses.list({ titel: 'Knots' }),
  // @ts-expect-error aliases are left out
  registrar.registrations.gcreate,
  // @ts-expect-error half of a pair
  createClient({ baseUrl: '', access: { realm_guid: '' } }),
];
`;
