import { Failure } from '#libs/contracts';

/** A query that was read: its text in pieces, with a named parameter between each two. */
export interface QueryText {
  /** The names that it takes as request parameters, each once, in the order of the text. */
  readonly parameters: readonly string[];
  /** The text with `place(n)` for the parameter `parameters[n]`. */
  render(place: (index: number) => string): string;
}

/** Parameters of every request, and those of run itself: a query never gets them. */
const reserved = new Set([
  ...['name', 'query_scope', 'format', 'fields', 'template', 'api_template', 'callback', '_'],
  ...['api_key', 'accessToken', 'realm_guid', 'realm_secret_key', 'sc_app_id', 'sc_secret_key'],
]);

const invalid = (message: string) => new Failure('invalid', message);

/**
 * PostgreSQL's lexical elements (its manual, Lexical Structure), as far as it takes to tell where
 * a parameter stands. The first that matches counts; a comment in `/*` is read by hand.
 */
const tokens = {
  comment: /--[^\r\n]*/y,
  quoted: /[eE]'(?:[^'\\]|\\[^]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"/y,
  dollarQuoted: /(\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?\1/y,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
  number: /\d[\w.$]*/y,
  cast: /::|:=/y,
  parameter: /:([A-Za-z_]\w*)/y,
  position: /\$\d/y,
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

function* tokensOf(sql: string): Generator<Token> {
  for (let at = 0; at < sql.length;) {
    const text = sql.startsWith('/*', at) ? blockComment(sql, at) : null;
    const token: Token = text === null ? tokenAt(sql, at) : { kind: 'comment', text };
    if (token.kind === 'other' && /['"]/.test(token.text)) throw invalid('a quote has no end');
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
  throw new Error('every character is a token');
}

/** Comments nest in PostgreSQL. */
function blockComment(sql: string, at: number): string {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = at;
  for (let depth = 0; ;) {
    const found = mark.exec(sql);
    if (!found) throw invalid('a comment has no end');
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return sql.slice(at, mark.lastIndex);
  }
}

/**
 * Reads a query's text: one statement that begins with SELECT or WITH, its parameters written as
 * `:name` outside of quotes and comments. `::` is a cast; in a slice of an array, a space keeps
 * the colon from the name (`list[1 : n]`).
 *
 * @throws {Failure} `invalid`, with the reason
 */
export function readQueryText(sql: string): QueryText {
  const parameters: string[] = [];
  const pieces: (string | number)[] = [];
  let firstWord: string | null = null;
  let ended = false;
  for (const { kind, text } of tokensOf(sql)) {
    if (kind === 'space' || kind === 'comment') {
      pieces.push(text);
      continue;
    }
    if (ended) throw invalid('a stored query is one statement');
    if (kind === 'end') {
      ended = true;
      continue;
    }
    if (kind === 'position') throw invalid('parameters have names: write :name, not $1');
    if (kind === 'word') firstWord ??= text.toLowerCase();
    if (kind !== 'parameter') {
      pieces.push(text);
      continue;
    }
    const name = text.slice(1);
    if (reserved.has(name)) throw invalid(`the parameter :${name} belongs to the request itself`);
    if (!parameters.includes(name)) parameters.push(name);
    pieces.push(parameters.indexOf(name));
  }
  if (firstWord !== 'select' && firstWord !== 'with') {
    throw invalid('a stored query begins with SELECT or WITH');
  }
  return {
    parameters,
    render: (place) =>
      pieces.map((piece) => (typeof piece === 'number' ? place(piece) : piece)).join(''),
  };
}

/** The text for PostgreSQL, with a parameter's number in the place of its name. */
export const positional = (text: QueryText): string => text.render((index) => `$${index + 1}`);

/**
 * The values of a query's parameters, in order.
 *
 * @throws {Failure} `invalid` for one that is missing, or that the query does not know
 */
export function parameterValues(
  text: QueryText,
  given: Readonly<Record<string, string>>,
): string[] {
  const unknown = Object.keys(given).find((name) => !text.parameters.includes(name));
  if (unknown !== undefined) throw invalid(`the query has no parameter ${unknown}`);
  return text.parameters.map((name) => {
    if (!Object.hasOwn(given, name)) throw invalid(`the query needs the parameter ${name}`);
    return given[name]!;
  });
}
