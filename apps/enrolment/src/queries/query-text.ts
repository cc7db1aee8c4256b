import { Failure } from '@registrar/contracts';

/** The parsed text of a stored query. */
export interface QueryText {
  /** The names of its parameters, each once, in the order of the text. */
  readonly parameters: readonly string[];
  /** Returns the text with `placeholder(n)` in place of the parameter `parameters[n]`. */
  render(placeholder: Placeholder): string;
  /** Returns the fault at an offset of what {@link render} returns for the same placeholders. */
  faultAt(placeholder: Placeholder, offset: number, reason: string): QueryFault;
}

export type Placeholder = (index: number) => string;

/** The text of a stored query is wrong at a place, which the message names as line and column, from 1. */
export class QueryFault extends Failure {
  /** @param offset in the text: UTF-16 code units */
  constructor(
    readonly reason: string,
    sql: string,
    readonly offset: number,
  ) {
    const lines = sql.slice(0, offset).split('\n');
    super('invalid', `line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${reason}`);
  }
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
  readonly offset: number;
}

function* tokenize(sql: string): Generator<Token> {
  for (let at = 0; at < sql.length;) {
    const text = sql.startsWith('/*', at) ? blockComment(sql, at) : null;
    const token: Token = text === null ? tokenAt(sql, at) : { kind: 'comment', text, offset: at };
    if (token.kind === 'other' && /['"]/.test(token.text))
      throw new QueryFault('unterminated quoted string', sql, at);
    yield token;
    at += token.text.length;
  }
}

function tokenAt(sql: string, at: number): Token {
  for (const [kind, pattern] of kinds) {
    pattern.lastIndex = at;
    const match = pattern.exec(sql);
    if (match) return { kind, text: match[0], offset: at };
  }
  throw new Error('unreachable: every character matches a token');
}

/** Returns the comment at an offset. PostgreSQL nests comments. */
function blockComment(sql: string, at: number): string {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = at;
  for (let depth = 0; ;) {
    const match = mark.exec(sql);
    if (!match) throw new QueryFault('unterminated comment', sql, at);
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
  const pieces: Piece[] = [];
  let firstWord: string | null = null;
  let ended = false;
  const fault = (reason: string, { offset }: Token) => new QueryFault(reason, sql, offset);
  for (const token of tokenize(sql)) {
    const { kind, text, offset } = token;
    if (kind === 'space' || kind === 'comment') {
      pieces.push({ content: text, offset });
      continue;
    }
    if (ended) throw fault('a stored query is a single statement', token);
    if (kind === 'end') {
      ended = true;
      continue;
    }
    if (kind === 'positional') {
      throw fault('parameters are named: write :name instead of $1', token);
    }
    if (kind === 'word') firstWord ??= text.toLowerCase();
    if (kind !== 'parameter') {
      pieces.push({ content: text, offset });
      continue;
    }
    const name = text.slice(1);
    if (reservedNames.has(name)) throw fault(`the parameter name :${name} is reserved`, token);
    if (!parameters.includes(name)) parameters.push(name);
    pieces.push({ content: parameters.indexOf(name), offset });
  }
  if (firstWord !== 'select' && firstWord !== 'with') {
    throw invalid('a stored query starts with SELECT or WITH');
  }
  const textOf = ({ content }: Piece, placeholder: Placeholder) =>
    typeof content === 'number' ? placeholder(content) : content;
  return {
    parameters,
    render: (placeholder) => pieces.map((piece) => textOf(piece, placeholder)).join(''),
    faultAt(placeholder, rendered, reason) {
      let before = 0;
      for (const piece of pieces) {
        const within = rendered - before;
        before += textOf(piece, placeholder).length;
        if (rendered >= before) continue;
        const isText = typeof piece.content === 'string';
        return new QueryFault(reason, sql, piece.offset + (isText ? within : 0));
      }
      return new QueryFault(reason, sql, sql.length);
    },
  };
}

/** A part of a text: itself, or the index of a parameter. */
interface Piece {
  readonly content: string | number;
  readonly offset: number;
}

/** Writes parameters as `$1`. */
export const positional: Placeholder = (index) => `$${index + 1}`;

/** Returns the text with `$1`-style parameters. */
export const toPositional = (text: QueryText): string => text.render(positional);

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
