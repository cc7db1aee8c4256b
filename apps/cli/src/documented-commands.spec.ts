import { describe, expect, it } from 'vitest';
import { documentedCommands } from '@registrar/testing';
import { run } from './operator.fixture.ts';

/** Commands without a group. */
const single = new Set(['audit', 'doctor', 'migrate', 'probe', 'quickstart', 'request']);

/** A call of the command line at the beginning of a command, in a pipeline, or in a container. */
const call =
  /(?:(?:^|\| |&& )(?:\w+=\S+ )*(?:npx )?registrar|apps\/cli\/dist\/main\.js) ([a-z](?:[^|<>;&#]|\\\n)*)/g;

const called = new Set(
  documentedCommands().flatMap(({ text }) =>
    [...text.matchAll(call)].map(([, words = '']) => words.replaceAll(/[\s\\]+/g, ' ').trim()),
  ),
);

describe('the calls of registrar in the documentation', () => {
  it('the calls of registrar in the documentation are found', () => {
    expect(called.size).toBeGreaterThan(40);
  });

  it.each([...called])('registrar %s has a command with these options', async (line) => {
    const words = line.split(' ');
    const command = words.slice(0, single.has(words[0]!) ? 1 : 2);
    const { code, stdout } = await run([...command, '--help']);
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: registrar ${command.join(' ')} `);
    for (const option of words.filter((word) => word.startsWith('--'))) {
      expect(stdout).toContain(`  ${option} `);
    }
  });
});
