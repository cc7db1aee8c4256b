import { Failure, type Patterns, patterns } from '#libs/contracts';
import * as z from 'zod';
import { accessParameters } from '../access/access-mode.ts';
import { generalParameters, type GivenParameters, single } from './given-parameters.ts';

const alwaysAllowed = new Set([...accessParameters, ...generalParameters]);

/** What an operation takes. */
export interface ParameterRules<Schema extends z.ZodObject = z.ZodObject> {
  readonly parameters: Schema;
  /** The filters that have a form for regular expressions: `name_re`, `name_re0`, … */
  readonly expressions?: readonly string[];
  /** Parameters of any other name are taken too (stored queries). */
  readonly takesOthers?: boolean;
}

/** The parameters of one operation. */
export interface ParsedParameters<Values> {
  readonly parameters: Values;
  /** By filter, the expressions given for it. */
  readonly patterns: Readonly<Record<string, Patterns | undefined>>;
  readonly others: Readonly<Record<string, string>>;
}

/** How many expressions a request may have (decision 16). */
const mostExpressions = 8;

/**
 * Parses what was given by the rules of an operation.
 *
 * @throws {Failure} `invalid` for a name that the operation does not know (decision 6), and for
 * a value that the schema refuses; the message names parameters and repeats no value
 */
export function parseParameters<Schema extends z.ZodObject>(
  rules: ParameterRules<Schema>,
  given: GivenParameters,
): ParsedParameters<z.output<Schema>> {
  refuseZeroCharacters(given);
  const names = Object.keys(rules.parameters.shape);
  const others = [...given.keys()].filter(
    (name) => !names.includes(name) && !alwaysAllowed.has(name),
  );
  const expressions = others.filter((name) => filterOf(name, rules) !== undefined);
  const unknown = others.filter((name) => !expressions.includes(name));
  if (unknown.length > 0 && !rules.takesOthers) {
    const listed = unknown.map((name) => JSON.stringify(name.slice(0, 40)));
    throw new Failure('invalid', `unknown parameters: ${listed.slice(0, 5).join(', ')}`);
  }
  return {
    parameters: parse(rules.parameters, names, given),
    patterns: parsePatterns(expressions, rules, given),
    others: Object.fromEntries(unknown.map((name) => [name, single(given, name) ?? ''])),
  };
}

function parse<Schema extends z.ZodObject>(
  schema: Schema,
  names: readonly string[],
  given: GivenParameters,
): z.output<Schema> {
  const parsed = schema.safeParse(
    Object.fromEntries(names.map((name) => [name, single(given, name)])),
  );
  if (parsed.success) return parsed.data;
  const faults = new Set(parsed.error.issues.map((issue) => String(issue.path[0])));
  throw new Failure('invalid', `malformed parameters: ${[...faults].join(', ')}`);
}

/** PostgreSQL holds none in a text. */
function refuseZeroCharacters(given: GivenParameters): void {
  const texts = [...given].flatMap(([name, values]) => [name, ...values]);
  if (texts.some((text) => text.includes('\0'))) {
    throw new Failure('invalid', 'a parameter holds a zero character');
  }
}

/** The filter that an expression is for: `title` of `title_re` and of `title_re2`. */
const filterOf = (name: string, { expressions = [] }: ParameterRules) =>
  expressions.find(
    (filter) => name.startsWith(filter) && /^_re\d*$/.test(name.slice(filter.length)),
  );

function parsePatterns(names: readonly string[], rules: ParameterRules, given: GivenParameters) {
  const found: Record<string, string[]> = {};
  for (const name of names) {
    const filter = filterOf(name, rules) ?? name;
    found[filter] = [...(found[filter] ?? []), ...(given.get(name) ?? [])];
  }
  const parsed = z.record(z.string(), patterns).safeParse(found);
  if (!parsed.success || Object.values(found).flat().length > mostExpressions) {
    throw new Failure('invalid', 'too many expressions, or one that is too long');
  }
  return parsed.data;
}
