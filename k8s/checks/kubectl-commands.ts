import { parseArgs } from 'node:util';
import type { Manifest } from './manifests.ts';

const options = {
  namespace: { type: 'string' },
  all: { type: 'boolean' },
  selector: { type: 'string' },
  patch: { type: 'string' },
  replicas: { type: 'string' },
} as const;

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A JSON Merge Patch (RFC 7386). */
function merged(value: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = isRecord(value) ? { ...value } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) delete result[name];
    else result[name] = merged(result[name], change);
  }
  return result;
}

/** Returns the verb, the words after it, and the options of a command; null for other programs than kubectl. */
function read(command: string) {
  const words = [...command.matchAll(/'([^']*)'|([^\s\\]+)/g)].map(
    ([, quoted, word]) => quoted ?? word!,
  );
  if (words[0] !== 'kubectl') return null;
  const { values, positionals } = parseArgs({
    args: words.slice(1),
    options,
    strict: false,
    allowPositionals: true,
  });
  const [verb, ...names] = positionals;
  return { verb, names, values: values as Readonly<Record<string, string | true | undefined>> };
}

/** Parses words of the form `name=value`. */
const pairs = (words: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    words.map((word) => {
      const [name = '', value = ''] = word.split('=');
      return [name, value] as const;
    }),
  );

/** Returns the selector of a command for kubectl, as labels. */
export const selectorOf = (command: string): Readonly<Record<string, string>> =>
  pairs(String(read(command)?.values['selector']).split(','));

/**
 * Returns objects as a command for kubectl leaves them: `patch`, `annotate`, `scale` and `delete`. Others change nothing.
 *
 * @throws {Error} when the command selects no object
 */
export function afterCommand(objects: readonly Manifest[], command: string): readonly Manifest[] {
  const { verb = '', names = [], values = {} } = read(command) ?? {};
  const change = changes[verb];
  if (!change) return objects;
  const words = [...(names[0] ?? '').split('/'), ...names.slice(1)];
  const kind = words.shift() ?? '';
  const [singular, ...group] = kind
    .toLowerCase()
    .replace(/^([a-z]+?)s?(?=\.|$)/, '$1')
    .split('.');
  const name = (values['all'] ?? values['selector']) ? null : words.shift();
  const labels = values['selector'] ? selectorOf(command) : {};
  const isMeant = ({ apiVersion, kind: each, metadata }: Manifest) =>
    each.toLowerCase() === singular &&
    (group.length === 0 || apiVersion.startsWith(`${group.join('.')}/`)) &&
    metadata['namespace'] === values['namespace'] &&
    (name === null || metadata.name === name) &&
    Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value);
  if (!objects.some(isMeant)) throw new Error(`no object is meant by ${command}`);
  return objects.flatMap((each) => (isMeant(each) ? change(each, words, values) : each));
}

type Change = (
  object: Manifest,
  words: readonly string[],
  values: Readonly<Record<string, string | true | undefined>>,
) => readonly Manifest[];

const withPatch = (object: Manifest, patch: unknown) => [merged(object, patch) as Manifest];

const changes: Readonly<Record<string, Change>> = {
  patch: (object, _words, { patch }) => withPatch(object, JSON.parse(String(patch))),
  annotate: (object, words) => withPatch(object, { metadata: { annotations: pairs(words) } }),
  scale: (object, _words, { replicas }) =>
    withPatch(object, { spec: { replicas: Number(replicas) } }),
  delete: () => [],
};
