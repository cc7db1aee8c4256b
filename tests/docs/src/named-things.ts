import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './markdown.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const { targetDefaults } = JSON.parse(read('nx.json')) as { targetDefaults: object };
const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: object };

/** What a command names and the checkout does not have: scripts, options, suites, targets, projects, files. */
export function unknownNames(command: string): string[] {
  const parts = command.replaceAll(/ #.*$|…/gm, '').split(' && ');
  return parts.flatMap((part) => {
    const words = part.split(/\s+/).filter((word) => word && !/^[A-Z_]+=/.test(word));
    const [program = '', ...rest] = words;
    if (program === 'npm') return unknownToNpm(rest);
    if (program === 'npx' && rest[0] === 'nx') return unknownToNx(rest.slice(1));
    // apps/cli/src/documented-commands.spec.ts parses it.
    if (program === 'npx' && rest[0] === 'registrar') return [];
    if (program.includes('/')) return withoutFile([program]);
    return ['git', 'cd'].includes(program) ? [] : [program];
  });
}

const npmCommands = new Set(['ci', 'start', 'test', 'version']);

function unknownToNpm([command = '', ...rest]: readonly string[]): string[] {
  if (command === 'test') return withoutFile(rest.filter((word) => word !== '--'));
  if (npmCommands.has(command)) return [];
  const [name = '', ...given] = command === 'run' ? rest : [command];
  const script = scripts[name];
  return script === undefined ? [command, name] : unknownTo(script, given);
}

/** The options and the leading words that do not occur in the source of a script's program. */
function unknownTo(script: string, given: readonly string[]): string[] {
  const [, project, program] = /(\S+)\/dist\/(\S+)\.js/.exec(script) ?? [];
  if (!project) return [...given];
  const source = read(`${project}/src/${program}.ts`);
  const words = given.filter((word) => word !== '--');
  const firstOption = words.findIndex((word) => word.startsWith('--'));
  const leading = firstOption === -1 ? words : words.slice(0, firstOption);
  const options = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
  return [...leading, ...options].filter((name) => !new RegExp(`\\b'?${name}'?[:(]`).test(source));
}

function unknownToNx([command = '', ...rest]: readonly string[]): string[] {
  if (command === 'graph') return [];
  const files = rest.flatMap((word) => /^--files=(.+)$/.exec(word)?.slice(1) ?? []);
  const targets = command === 'affected' ? rest.filter((word) => !word.startsWith('-')) : [command];
  const projects = command === 'affected' ? [] : rest;
  return [
    ...withoutFile(files),
    ...targets.filter((name) => !(name in targetDefaults)),
    ...withoutFile(projects.map((name) => name.replace('@registrar/', 'node_modules/@registrar/'))),
  ];
}

const withoutFile = (paths: readonly string[]) =>
  paths.filter((path) => !existsSync(join(root, path)));

const composeCommands = new Set([
  'build',
  'up',
  'run',
  'exec',
  'ps',
  'logs',
  'restart',
  'start',
  'stop',
  'down',
]);

/** What a command for a container engine names and the checkout does not have: services, arguments of the build. */
export function unknownComposeNames(command: string): string[] {
  const dockerfile = read('Dockerfile');
  const composed = [...command.matchAll(/docker compose ([^|<>;&#]+)/g)].map(([, rest = '']) =>
    rest.trim().split(/\s+/),
  );
  const loops = [...command.matchAll(/for app in ([\w ]+);/g)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const unknownArguments = [...command.matchAll(/--build-arg (\w+)/g)].map(([, name = '']) => name);
  return [
    ...composed.flatMap(([subcommand = '', ...rest]) =>
      composeCommands.has(subcommand) ? [] : [subcommand, ...rest],
    ),
    ...[...composed.flatMap(servicesIn), ...loops].filter((name) => !(name in services)),
    ...unknownArguments.filter((name) => !dockerfile.includes(`ARG ${name}`)),
  ];
}

const optionsWithValue = new Set(['--index', '--tail', '--scale']);

/** The services that a command of Compose names. */
function servicesIn([command = '', ...words]: readonly string[]): string[] {
  const scaled = words.flatMap((word) => /^(\w+)=\d+$/.exec(word)?.[1] ?? []);
  const names = words.filter(
    (word, place) => /^[a-z]+$/.test(word) && !optionsWithValue.has(words[place - 1] ?? ''),
  );
  // What follows the service is the command in its container.
  return [...scaled, ...(['run', 'exec'].includes(command) ? names.slice(0, 1) : names)];
}
