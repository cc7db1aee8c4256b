import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation } from '@registrar/conformance';
import type { RunningSystem } from '@registrar/standalone/testing';
import { codeBlocksOf, programEnvironment } from '@registrar/testing';
import { fetchCalls, heyApiCalls } from './generated-client-calls.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: false,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
};

/** What the ten calls of each generated client print. */
const expected = {
  course: 'First aid basics',
  created: 'unknown',
  shown: true,
  listed: [true, true],
  updated: { department: 'sales', levels: [1, 2] },
  launched: true,
  invitation: ['first-aid-basics'],
  learners: 2,
  user: true,
  rows: true,
  missing: 404,
};

/**
 * Generates clients as docs/clients.md shows, compiles them strictly, and runs its programs and ten calls with
 * each.
 */
export function describeGeneratedClients(running: () => RunningSystem): void {
  describe('clients that are generated from the OpenAPI document', () => {
    let on: Installation;
    let key: string;
    let directory: string;
    beforeAll(async () => {
      on = new Installation(running().quickstart);
      key = String((await on.realmKey())['api_key']);
      // Inside of the checkout, whose packages the programs import.
      const parent = join(root, 'tests/e2e/var');
      await mkdir(parent, { recursive: true });
      directory = await mkdtemp(join(parent, 'clients-'));
    });
    afterAll(() => rm(directory, { recursive: true, force: true }));

    const execute = async (cwd: string, program: string, words: readonly string[]) => {
      const { PATH = '' } = process.env;
      const env = {
        ...programEnvironment(),
        PATH: `${join(root, 'node_modules/.bin')}:${PATH}`,
        API: running().quickstart.base_url,
        KEY: key,
        LEARNER: on.learner(),
        NAME: on.unique('generated'),
        REALM_GUID: on.facts.realm_guid,
        REALM_SECRET_KEY: on.facts.realm_secret_key,
      };
      const { stdout } = await run(program, words, { cwd, env }).catch((error: unknown) => {
        const { stdout: out = '', stderr = '' } = error as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${words.join(' ')}: ${out}${stderr}`, { cause: error });
      });
      return stdout;
    };

    it.each([
      ['openapi-typescript and openapi-fetch', fetchCalls],
      ['Hey API', heyApiCalls],
    ])('a client of %s compiles strictly and makes ten calls', async (section, calls) => {
      const cwd = join(directory, section.replaceAll(' ', '-'));
      await mkdir(cwd);
      const blocks = codeBlocksOf('docs/clients.md').filter((block) => block.section === section);
      for (const [index, { language, text }] of blocks.entries()) {
        if (language === 'ts') {
          const isConfiguration = text.startsWith('export default');
          await writeFile(join(cwd, isConfiguration ? 'openapi-ts.config.ts' : 'program.ts'), text);
        } else {
          expect([index, text]).toEqual([index, expect.stringMatching(/^npx /)]);
          await execute(cwd, 'sh', ['-c', text.replace(/^npx /, '')]);
        }
      }
      await writeFile(join(cwd, 'calls.ts'), calls);
      await writeFile(join(cwd, 'package.json'), '{"type":"module"}');
      await writeFile(
        join(cwd, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, include: ['*.ts', 'registrar'] }),
      );
      const compiler = join(root, 'node_modules/typescript-native/bin/tsc');
      await execute(cwd, process.execPath, [compiler, '--project', 'tsconfig.json']);
      expect(await execute(cwd, process.execPath, ['program.ts'])).toMatch(/^[\da-f-]{36}\n$/);
      // The calls use the client of the program, which prints first.
      const printed = (await execute(cwd, process.execPath, ['calls.ts'])).trim().split('\n');
      expect(JSON.parse(printed.at(-1) ?? '')).toEqual(expected);
    });
  });
}
