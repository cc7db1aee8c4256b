import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningSystem } from '@registrar/standalone/testing';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8');
const readFacts = /^ {4}fact\(\) .*\n {4}REALM_GUID=.*$/m.exec(readme)?.[0];
const examples = [
  ...readme.matchAll(
    /<!-- example: ([\w-]+) -->\n\n```sh\n([^]*?)\n```\n\n```(json|csv)\n([^]*?)\n```/g,
  ),
].map(([, name = '', command = '', format = '', shown = '']) => ({ name, command, format, shown }));

/** Runs the commands of README.md in a shell. Needs curl. */
export function describeReadme(running: () => RunningSystem): void {
  describe("README's commands", () => {
    const known: Record<string, string> = {};
    let directory: string;
    const type = async (command: string) => {
      const script = [`API=${running().quickstart.base_url}`, readFacts, command].join('\n');
      const environment = { PATH: process.env['PATH'], ...known };
      const options = { cwd: directory, env: environment };
      return (await promisify(execFile)('sh', ['-euc', script], options)).stdout;
    };

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), 'registrar-readme-'));
      await mkdir(join(directory, 'var'));
      const facts = JSON.stringify(running().quickstart, null, 2);
      await writeFile(join(directory, 'var', 'quickstart.json'), facts);
    });
    afterAll(() => rm(directory, { recursive: true }));

    it.each(examples)('$name', async ({ command, format, shown }) => {
      const answer = await type(command);
      if (format === 'csv') {
        expect(answer.split(/\r?\n/)[0]).toBe(shown.split(/\r?\n/)[0]);
        return;
      }
      const record = firstOf(answer);
      expect(Object.keys(record)).toEqual(Object.keys(firstOf(shown)));
      if (record['access_token']) known['KEY'] = record['access_token'];
      if (record['registration_guid']) known['REG'] = record['registration_guid'];
    });
  });
}

/** Returns the record of a response, or the first of a list. */
function firstOf(json: string): Record<string, string> {
  const [first] = [JSON.parse(json)].flat() as Record<string, string>[];
  return first ?? {};
}
