import { Failure, type Patterns, patterns } from '@registrar/contracts';
import * as z from 'zod';
import { accessParameters } from '../access/access-mode.ts';
import {
  generalParameters,
  invalidParameter,
  ParameterCollection,
  type RequestParameters,
  singleValue,
} from './request-parameters.ts';
import { unknownParameters } from './unknown-parameters.ts';

const alwaysAllowed = new Set([...accessParameters, ...generalParameters]);

/** The parameters that an operation accepts. */
export interface ParameterRules<Schema extends z.ZodObject = z.ZodObject> {
  /**
   * Each parameter with its check and its description. `example` in its `meta` is the value that the
   * API reference sends unless the reader changes it; `examples` has one for each route, for a value
   * that can be taken once.
   */
  readonly parameters: Schema;
  /** The filters that also take regular expressions: `name_re`, `name_re0`, … */
  readonly patternFilters?: readonly string[];
  /** The filters that `name[]` gives several values of (contract/parameters#list-filters). */
  readonly listFilters?: readonly string[];
  /** The parameters by their former names (contract/parameters#former-names). */
  readonly formerNames?: Readonly<Record<string, string>>;
  /** The operation accepts parameters of any other name too (contract/stored-queries#run). */
  readonly acceptsExtraParameters?: boolean;
}

/** The parameters of one request, parsed. */
export interface ParsedParameters<Values> {
  readonly parameters: Values;
  /** The regular expressions by filter. */
  readonly patterns: Readonly<Record<string, Patterns | undefined>>;
  /** The values of list filters by filter; a record matches if any of them is its own. */
  readonly lists: Readonly<Record<string, string[] | undefined>>;
  /** The parameters that the operation does not name. */
  readonly extraParameters: RequestParameters;
}

/** How many regular expressions a request may have (contract/parameters#expression-limits). */
const maxPatterns = 8;

/**
 * Parses the parameters of a request by the rules of its operation.
 *
 * @throws {Failure} `invalid` for an unknown parameter (contract/parameters#unknown-parameter) and
 * for a malformed value; the message names parameters and repeats no value
 */
export function parseParameters<Schema extends z.ZodObject>(
  rules: ParameterRules<Schema>,
  received: RequestParameters,
): ParsedParameters<z.output<Schema>> {
  rejectNulCharacters(received);
  const given = rules.formerNames ? renameFormer(received, rules.formerNames) : received;
  const patternTexts: Record<string, string[]> = {};
  const lists: Record<string, string[]> = {};
  const extraParameters = new Map<string, readonly string[]>();
  for (const [name, values] of given) {
    if (Object.hasOwn(rules.parameters.shape, name) || alwaysAllowed.has(name)) continue;
    const [filter, ofList] = [filterOf(name, rules), listOf(name, rules)];
    if (filter !== undefined) (patternTexts[filter] ??= []).push(...values);
    else if (ofList !== undefined) (lists[ofList] ??= []).push(...values);
    else extraParameters.set(name, values);
  }
  if (extraParameters.size > 0 && !rules.acceptsExtraParameters) {
    throw unknownParameters([...extraParameters.keys()], knownNames(rules));
  }
  const parameters = parse(rules.parameters, given);
  return { parameters, patterns: parsePatterns(patternTexts), lists, extraParameters };
}

/** Gives each parameter the values of its former name too. */
function renameFormer(
  received: RequestParameters,
  formerNames: Readonly<Record<string, string>>,
): RequestParameters {
  const given = new ParameterCollection();
  for (const [name, values] of received) {
    const current = Object.hasOwn(formerNames, name) ? formerNames[name]! : name;
    for (const value of values) given.add(current, value);
  }
  return given;
}

function parse<Schema extends z.ZodObject>(
  schema: Schema,
  given: RequestParameters,
): z.output<Schema> {
  const names = Object.keys(schema.shape);
  const parsed = schema.safeParse(
    Object.fromEntries(names.map((name) => [name, singleValue(given, name)])),
  );
  if (parsed.success) return parsed.data;
  const malformed = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const listed = malformed.slice(0, 5).map((each) => each.slice(0, 200));
  const name = String(parsed.error.issues[0]?.path[0]);
  throw invalidParameter(name, `malformed parameters: ${listed.join('; ')}`);
}

/** The names that an operation's parameters have, except for numbered ones. */
const knownNames = (rules: ParameterRules): string[] => [
  ...Object.keys(rules.parameters.shape),
  ...Object.keys(rules.formerNames ?? {}),
  ...(rules.patternFilters ?? []).map((filter) => `${filter}_re`),
  ...alwaysAllowed,
];

/** PostgreSQL's text type cannot hold U+0000. */
function rejectNulCharacters(given: RequestParameters): void {
  const texts = [...given].flatMap(([name, values]) => [name, ...values]);
  if (texts.some((text) => text.includes('\0'))) {
    throw new Failure('invalid', 'a parameter contains a NUL character');
  }
}

/** The filter that a regular expression belongs to: `title` for `title_re` and `title_re2`. */
const filterOf = (name: string, { patternFilters = [] }: ParameterRules) =>
  patternFilters.find(
    (filter) => name.startsWith(filter) && /^_re\d*$/.test(name.slice(filter.length)),
  );

/** The filter that `course_guid[]` gives values of, and `course_guid[0]`: PHP writes arrays so. */
function listOf(name: string, { listFilters = [] }: ParameterRules): string | undefined {
  const [, filter = ''] = /^(.+)\[\d*\]$/.exec(name) ?? [];
  return listFilters.includes(filter) ? filter : undefined;
}

function parsePatterns(texts: Readonly<Record<string, string[]>>): Record<string, Patterns> {
  const count = Object.values(texts).flat().length;
  // The schema takes its time for an empty record too.
  if (count === 0) return {};
  const parsed = z.record(z.string(), patterns).safeParse(texts);
  if (!parsed.success || count > maxPatterns) {
    throw new Failure('invalid', 'too many regular expressions, or one is too long');
  }
  return parsed.data;
}
