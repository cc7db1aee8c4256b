import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);

it('an error of a built program names the source file', async () => {
  const built = join(import.meta.dirname, '../dist');
  const program = `
    await import('${built}/prepare-node.js');
    const { readSettings } = await import('${built}/index.js');
    try {
      readSettings(null);
    } catch ({ stack }) {
      process.stdout.write(stack);
    }`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);

  expect(stdout).toContain(join(import.meta.dirname, 'settings.ts'));
});
