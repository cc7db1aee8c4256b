import { Failure } from '@registrar/contracts';

/** The parsed text of a stored query. */
export interface QueryText {
  /** The names of its parameters, each once, in the order of the text. */
  readonly parameters: readonly string[];
  /** Returns the text with `placeholder(n)` in place of the parameter `parameters[n]`. */
  render(placeholder: (index: number) => string): string;
}

/** Names that are parameters of the request itself (contract/parameters#general-parameters). */
const reservedNames = new Set([
  ...[
    'name',
    'query_scope',
    'format',
    'fields',
    'template',
    'api_template',
    'callback',
    'bom',
    '_',
  ],
  ...['api_key', 'accessToken', 'realm_guid', 'realm_secret_key', 'sc_app_id', 'sc_secret_key'],
]);

const invalid = (message: string) => new Failure('invalid', message);

/**
 * The lexical elements of SQL (PostgreSQL's manual, Lexical Structure), as far as finding parameters
 * needs them. The first match counts. {@link blockComment} handles nested comments.
 */
const tokens = {
  comment: /--[^\r\n]*/y,
  quoted: /[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/y,
  dollarQuoted: /(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?\1/y,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
  number: /\d[\w.$]*/y,
  cast: /::|:=/y,
  parameter: /:([A-Za-z_]\w*)/y,
  positional: /\$\d/y,
  space: /\s+/y,
  end: /;/y,
  other: /[^]/y,
};
type Kind = keyof typeof tokens;
const kinds = Object.entries(tokens) as [Kind, RegExp][];

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

function* tokenize(sql: string): Generator<Token> {
  for (let at = 0; at < sql.length;) {
    const text = sql.startsWith('/*', at) ? blockComment(sql, at) : null;
    const token: Token = text === null ? tokenAt(sql, at) : { kind: 'comment', text };
    if (token.kind === 'other' && /['"]/.test(token.text))
      throw invalid('unterminated quoted string');
    yield token;
    at += token.text.length;
  }
}

function tokenAt(sql: string, at: number): Token {
  for (const [kind, pattern] of kinds) {
    pattern.lastIndex = at;
    const match = pattern.exec(sql);
    if (match) return { kind, text: match[0] };
  }
  throw new Error('unreachable: every character matches a token');
}

/** Returns the comment at an offset. PostgreSQL nests comments. */
function blockComment(sql: string, at: number): string {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = at;
  for (let depth = 0; ;) {
    const match = mark.exec(sql);
    if (!match) throw invalid('unterminated comment');
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return sql.slice(at, mark.lastIndex);
  }
}

/**
 * Parses the text of a query: a single statement that starts with SELECT or WITH. Parameters are
 * written `:name` outside of quotes and comments. `::` is a cast. In an array slice, a space
 * separates the colon from a name: `list[1 : n]`.
 *
 * @throws {Failure} `invalid` with the reason
 */
export function parseQueryText(sql: string): QueryText {
  const parameters: string[] = [];
  const pieces: (string | number)[] = [];
  let firstWord: string | null = null;
  let ended = false;
  for (const { kind, text } of tokenize(sql)) {
    if (kind === 'space' || kind === 'comment') {
      pieces.push(text);
      continue;
    }
    if (ended) throw invalid('a stored query is a single statement');
    if (kind === 'end') {
      ended = true;
      continue;
    }
    if (kind === 'positional') throw invalid('parameters are named: write :name instead of $1');
    if (kind === 'word') firstWord ??= text.toLowerCase();
    if (kind !== 'parameter') {
      pieces.push(text);
      continue;
    }
    const name = text.slice(1);
    if (reservedNames.has(name)) throw invalid(`the parameter name :${name} is reserved`);
    if (!parameters.includes(name)) parameters.push(name);
    pieces.push(parameters.indexOf(name));
  }
  if (firstWord !== 'select' && firstWord !== 'with') {
    throw invalid('a stored query starts with SELECT or WITH');
  }
  return {
    parameters,
    render: (placeholder) =>
      pieces.map((piece) => (typeof piece === 'number' ? placeholder(piece) : piece)).join(''),
  };
}

/** Returns the text with `$1`-style parameters. */
export const toPositional = (text: QueryText): string => text.render((index) => `$${index + 1}`);

/**
 * Returns the values of a query's parameters in their order (contract/stored-queries#run-parameters).
 *
 * @param options `defaults`: values of parameters that are not given. `ignoreUnknown`: whether other
 * parameters are ignored
 * @throws {Failure} `invalid` for a missing or unknown parameter (contract/stored-queries#run-500)
 */
export function parameterValues(
  text: QueryText,
  given: Readonly<Record<string, string>>,
  options: {
    readonly defaults?: Readonly<Record<string, string>>;
    readonly ignoreUnknown?: boolean;
  } = {},
): string[] {
  const { defaults = {}, ignoreUnknown = false } = options;
  const unknown = Object.keys(given).find((name) => !text.parameters.includes(name));
  if (unknown !== undefined && !ignoreUnknown) {
    throw invalid(`the query has no parameter ${unknown}`);
  }
  return text.parameters.map((name) => {
    if (Object.hasOwn(given, name)) return given[name]!;
    if (Object.hasOwn(defaults, name)) return defaults[name]!;
    throw invalid(`the query needs the parameter ${name}`);
  });
}
