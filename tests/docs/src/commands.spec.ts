import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  checkOf,
  codeBlocksOf,
  commandChecks,
  type DocumentedCommand,
  documentedCommands,
  findPrograms,
  markdownFiles,
  readPage,
} from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './markdown.ts';
import { unknownComposeNames, unknownNames } from './named-things.ts';

const commands = documentedCommands();
const commandsFor = (check: keyof typeof commandChecks): DocumentedCommand[] =>
  commands.filter((command) => checkOf(command) === check);
const title = ({ page, text }: DocumentedCommand) => `${page}: ${text.split('\n')[0]}`;
const titled = (command: DocumentedCommand) => [title(command), command] as const;

const languages = new Set([
  'sh',
  'console',
  'sql',
  'perl',
  'promql',
  'json',
  'csv',
  'xml',
  'html',
  'yaml',
  'ts',
  'text',
  'js',
]);

describe('the code of the documentation', () => {
  it.each(markdownFiles())('%s: every code block names its language', (page) => {
    const unknown = codeBlocksOf(page).filter(({ language }) => !languages.has(language));
    expect(unknown).toEqual([]);
    const outside = readPage(page).replaceAll(/^( *)```.*\n[^]*?^\1```$/gm, '');
    // An indented block; items of lists are indented too.
    expect(outside).not.toMatch(/^(?![-*] |\d+\. ).*\n\n {4,}(?![-*] |\d+\. )\S/m);
  });

  it.each(Object.entries(commandChecks))(
    'the check %s has commands, and %s',
    (check, description) => {
      expect(commandsFor(check as keyof typeof commandChecks)).not.toEqual([]);
      const [suite = ''] = /\S+\.spec\.ts/.exec(description) ?? [];
      expect(existsSync(join(root, suite))).toBe(true);
    },
  );

  it('every command belongs to a check', () => {
    expect(commands.filter((command) => checkOf(command) === null)).toEqual([]);
  });
});

describe('the commands that only a checkout runs', () => {
  it.each(commandsFor('checkout').map(titled))(
    '%s: everything that it names exists',
    (_title, { text }) => {
      expect(unknownNames(text)).toEqual([]);
    },
  );
});

describe('the commands that need a container engine', () => {
  it.each(commandsFor('containers').map(titled))(
    '%s: everything that it names exists',
    (_title, { text }) => {
      expect(unknownComposeNames(text)).toEqual([]);
    },
  );
});

describe('the commands that need files alone', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'registrar-files-'));
    symlinkSync(join(root, 'k8s'), join(directory, 'k8s'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const [byPrograms, byShell] = [true, false].map((wanted) =>
    commandsFor('files').filter(({ text }) => /^(yq|promtool) /.test(text) === wanted),
  );
  const run = ({ text }: DocumentedCommand) =>
    execFileSync('sh', ['-euc', text], { cwd: directory, encoding: 'utf8', stdio: 'pipe' });

  it.each(byShell!.map(titled))('%s', (_title, command) => {
    createData(directory);
    run(command);
    const isRemoved = !existsSync(join(directory, 'installation'));
    expect(isRemoved).toBe(command.text.includes('readlink'));
  });

  it('a created master key is 32 bytes in base64', () => {
    const [key = ''] = readFileSync(join(directory, 'master.key'), 'utf8').split('\n');
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
  });

  describeWith(findPrograms('yq', 'promtool'), 'with Prometheus', () => {
    it.each(byPrograms!.map(titled))('%s', (_title, command) => {
      expect(run(command)).not.toContain('FAILED');
    });
  });
});

/** Creates `var` with a database outside of it, as a start by root does. */
function createData(directory: string): void {
  const database = join(directory, 'installation', 'data');
  const link = join(directory, 'var', 'postgres', 'data');
  mkdirSync(database, { recursive: true });
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(database, link);
}

describeWith(findPrograms('pg_dump'), 'the commands that dump and restore a database', () => {
  it.each(commandsFor('database dump').map(titled))('%s: has its options', (_title, { text }) => {
    const [program = '', ...words] = text.split(/\s+/);
    const help = execFileSync(program, ['--help'], { encoding: 'utf8' });
    for (const [option] of words.join(' ').matchAll(/--[\w-]+/g)) expect(help).toContain(option);
  });
});
