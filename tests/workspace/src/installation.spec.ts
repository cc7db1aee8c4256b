import { describe, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as z from 'zod';

const run = promisify(execFile);
const manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) });
const lock = z.object({
  packages: z.record(z.string(), z.object({ hasInstallScript: z.boolean().optional() })),
});
const read = async <Schema extends z.ZodType>(path: string, schema: Schema) =>
  schema.parse(JSON.parse(await readFile(path, 'utf8')));

describe('npm ci', () => {
  it('finds each package with an install script allowed or refused in package.json', async () => {
    const { allowScripts } = await read('package.json', manifest);
    const { packages } = await read('package-lock.json', lock);
    const scripted = Object.entries(packages)
      .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripted)].sort());
  });

  it.each([
    ['20.20.2', /engines concern the Node 20\.20\.2 that npm runs on\. .*: npm start\n$/],
    ['22.14.0', /engines concern the Node 22\.14\.0/],
    ['22.15.0', /^$/],
    ['24.21.0', /^$/],
  ])('says at its end what its warnings mean, when npm runs on Node %s', async (version, text) => {
    const agent = `npm/11.19.1 node/v${version} linux x64 workspaces/true`;
    const env = { PATH: process.env['PATH'], npm_config_user_agent: agent };
    const { stdout } = await run(process.execPath, ['after-install.js'], { env });
    expect(stdout).toMatch(text);
  });
});
