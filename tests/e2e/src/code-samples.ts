import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation } from '@registrar/conformance';
import { buildSamplePackage } from '@registrar/sample-courses';
import type { RunningSystem } from '@registrar/standalone/testing';
import { programEnvironment } from '@registrar/testing';
import type { DocumentedOperation } from './open-api-document.ts';

const run = promisify(execFile);

/** The variables of the samples. */
const variables = ['API', 'KEY', 'REALM_GUID', 'REALM_SECRET_KEY', 'REGISTRATION_GUID'];

/** How a sample of a language is run, with its variables from the environment, so that an error status ends it with a code. */
const programs: Readonly<Record<string, (source: string) => readonly string[]>> = {
  curl: (source) => ['sh', '-c', source.replace('curl -s', 'curl -s --fail --show-error')],
  JavaScript: (source) => [
    process.execPath,
    '--input-type=module',
    '--eval',
    `const { ${variables.join(', ')} } = process.env;\n${source}`,
  ],
  Python: (source) => [
    'python3',
    '-c',
    `import os\n${variables.map((name) => `${name} = os.environ['${name}']`).join('\n')}\n${source}`,
  ],
};

/** Names that one system takes once. */
const uniqueNames = ['autumn', 'welcome', 'teacher@example.com'];

/**
 * Runs the code samples of every operation that deletes nothing, on a system that has the items of the examples.
 * Python needs its package `requests`, and is left out without it.
 */
export function describeCodeSamples(
  running: () => RunningSystem,
  operations: () => readonly DocumentedOperation[],
): void {
  describe('the code samples of the API reference', () => {
    let directory: string;
    let on: Installation;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      on = new Installation(running().quickstart);
      directory = await mkdtemp(join(tmpdir(), 'registrar-samples-'));
      await writeFile(join(directory, 'course.zip'), await buildSamplePackage('fire-safety'));
      const { PATH } = process.env;
      env = {
        ...programEnvironment(),
        PATH,
        API: on.facts.base_url,
        KEY: String((await on.realmKey())['api_key']),
        REALM_GUID: on.facts.realm_guid,
        REALM_SECRET_KEY: on.facts.realm_secret_key,
        REGISTRATION_GUID: await on.register('first-aid-basics'),
      };
    });
    afterAll(() => rm(directory, { recursive: true, force: true }));

    const execute = async ([program = '', ...words]: readonly string[]) =>
      (await run(program, words, { cwd: directory, env })).stdout;

    it.each(Object.entries(programs))('the code samples in %s succeed', async (label, command) => {
      const hasRequests = () =>
        execute(['python3', '-c', 'import requests']).then(
          () => true,
          () => false,
        );
      if (label === 'Python' && !(await hasRequests())) return;
      const failed: string[] = [];
      const sampled = operations().filter(
        ({ method, samples }) => method !== 'DELETE' && samples.length > 0,
      );
      expect(sampled.length).toBeGreaterThan(25);
      for (const { id, name, samples } of sampled) {
        const { source = '' } = samples.find((sample) => sample.label === label) ?? {};
        const unique = name.endsWith(' create') ? uniqueNames : [];
        const renamed = unique.reduce(
          (text, each) => text.replaceAll(each, `${label.toLowerCase()}-${each}`),
          source,
        );
        await execute(command(renamed)).catch((error: unknown) => {
          failed.push(`${id}: ${String((error as { stderr?: unknown }).stderr)}`);
        });
      }
      expect(failed).toEqual([]);
    });
  });
}
