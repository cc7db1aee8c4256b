import { describe, expect, it } from 'vitest';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

const major = Number(readFileSync('.nvmrc', 'utf8'));
const old = `${major - 2}.0.0`;
const pretendToBeOld = `data:text/javascript,Object.defineProperty(process, 'versions', {
  value: { ...process.versions, node: '${old}' } });
  Object.defineProperty(process, 'version', { value: 'v${old}' });`;

const programs = [...globSync('apps/*/dist/main.js'), 'apps/standalone/dist/distributed.js'].sort();

/** Resolves with the exit code and the output of a program on a Node that reports an old version. */
const runOnOldNode = (program: string) =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--import', pretendToBeOld, program],
      { env: {} },
      (error, stdout, stderr) => resolve({ code: error?.code, stdout, stderr }),
    );
  });

describe('on a Node that is too old', () => {
  it('all programs are tried', () => {
    expect(programs).toHaveLength(10);
  });

  it.each(programs)('%s ends at once with one message', async (program) => {
    expect(await runOnOldNode(program)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        `Registrar needs Node ${major} or later, and ${process.execPath} is v${old}. ` +
        'Run it by npm, which installs one, or install Node from https://nodejs.org\n',
    });
  });
});
