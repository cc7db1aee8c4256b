import type { LessonStatus } from './lesson-statuses.ts';

/**
 * Whether the prerequisites of an item are fulfilled: an expression in the script of AICC's guidelines
 * (SCORM 1.2 CAM 2.3.5.1), such as `intro & 2*{a, b, c}` or `test = "passed" | ~(survey)`. What cannot
 * be parsed, or names no item, keeps nobody out.
 *
 * @param statuses the statuses of the items, by their id
 */
export function isFulfilled(
  expression: string,
  statuses: ReadonlyMap<string, LessonStatus>,
): boolean {
  return evaluate(expression, statuses) ?? true;
}

/** What is wrong with an expression: it cannot be parsed, or names items that do not exist. */
export function mistakesIn(
  expression: string,
  ids: ReadonlySet<string>,
): { readonly isMalformed: boolean; readonly unknown: readonly string[] } {
  const unknown = new Set<string>();
  const parsed = evaluate(expression, {
    get: (id) => {
      if (!ids.has(id)) unknown.add(id);
      return 'completed';
    },
  });
  return { isMalformed: parsed === null, unknown: [...unknown] };
}

type Statuses = Pick<ReadonlyMap<string, LessonStatus>, 'get'>;

/** Returns null for an expression that cannot be parsed, or names no item. */
const evaluate = (expression: string, statuses: Statuses): boolean | null =>
  new Parser(tokensOf(expression), statuses).parse();

const statusNames: Readonly<Record<string, LessonStatus | 'browsed'>> = {
  p: 'passed',
  passed: 'passed',
  f: 'failed',
  failed: 'failed',
  c: 'completed',
  completed: 'completed',
  i: 'incomplete',
  incomplete: 'incomplete',
  n: 'not attempted',
  'not attempted': 'not attempted',
  b: 'browsed',
  browsed: 'browsed',
};

/** Operators, quoted texts, and names. `&amp;` may be escaped twice. */
const tokenPattern = /"[^"]*"|<>|[&|~=(){},*]|[^\s"&|~=(){},*<>]+/g;

const tokensOf = (expression: string): string[] =>
  expression.replaceAll('&amp;', '&').match(tokenPattern) ?? [];

/** The levels of parentheses and negations that an expression may have. */
const maxDepth = 100;

/** A parser by recursive descent. Its methods return null for what is malformed. */
class Parser {
  readonly #tokens: readonly string[];
  readonly #statuses: Statuses;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[], statuses: Statuses) {
    this.#tokens = tokens;
    this.#statuses = statuses;
  }

  parse(): boolean | null {
    const result = this.#either();
    return this.#at === this.#tokens.length ? result : null;
  }

  #either(): boolean | null {
    return this.#joined(
      '|',
      () => this.#both(),
      (one, other) => one || other,
    );
  }

  #both(): boolean | null {
    return this.#joined(
      '&',
      () => this.#single(),
      (one, other) => one && other,
    );
  }

  #joined(
    operator: string,
    operand: () => boolean | null,
    join: (one: boolean, other: boolean) => boolean,
  ): boolean | null {
    let result = operand();
    while (result !== null && this.#take(operator)) {
      const other = operand();
      result = other === null ? null : join(result, other);
    }
    return result;
  }

  #single(): boolean | null {
    if ((this.#depth += 1) > maxDepth) return null;
    const result = this.#unnested();
    this.#depth -= 1;
    return result;
  }

  #unnested(): boolean | null {
    if (this.#take('~')) {
      const negated = this.#single();
      return negated === null ? null : !negated;
    }
    if (this.#take('(')) {
      const inner = this.#either();
      return this.#take(')') ? inner : null;
    }
    const name = this.#name();
    if (name === null) return null;
    if (/^\d+$/.test(name) && this.#take('*')) return this.#atLeast(Number(name));
    if (this.#take('=')) return this.#compare(name, true);
    return this.#take('<>') ? this.#compare(name, false) : this.#isDone(name);
  }

  /** A number of the items in a set. */
  #atLeast(count: number): boolean | null {
    if (!this.#take('{')) return null;
    let done = 0;
    do {
      const element = this.#either();
      if (element === null) return null;
      if (element) done += 1;
    } while (this.#take(','));
    return this.#take('}') ? done >= count : null;
  }

  #compare(id: string, isEqual: boolean): boolean | null {
    const status = statusNames[this.#name()?.toLowerCase() ?? ''];
    const actual = this.#statuses.get(id);
    return status === undefined || actual === undefined ? null : (actual === status) === isEqual;
  }

  #isDone(id: string): boolean | null {
    const status = this.#statuses.get(id);
    return status === undefined ? null : status === 'passed' || status === 'completed';
  }

  #name(): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || /^(?:<>|[&|~=(){},*])$/.test(token)) return null;
    this.#at += 1;
    return token.replace(/^"(.*)"$/, '$1').trim();
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at += 1;
    return true;
  }
}
