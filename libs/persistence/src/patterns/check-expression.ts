import { Failure } from '@registrar/contracts';

/**
 * How many atoms an expression may have when its bounded repetitions are written out: PostgreSQL
 * takes memory for each of them.
 */
const maxAtoms = 1_000;

/** PostgreSQL's limit of a bound (its manual, Pattern Matching). */
const maxBound = 255;

/** What a part of an expression costs. */
interface Cost {
  /** Atoms, with bounded repetitions written out. */
  readonly atoms: number;
  /** Whether it holds a repetition without an upper bound. */
  readonly unbounded: boolean;
}

/**
 * What PostgreSQL skips in expanded syntax. With control and format characters, which are white
 * space in some of its locales: to skip more only makes the check stricter.
 */
const ignoredIfExpanded = String.raw`[\s\p{Cc}\p{Cf}]|#[^\n]*(?:\n|$)`;

/** A backslash and what belongs to it: of a control character, that is two more characters. */
const escape = String.raw`\\(?:c[^]|[^])`;

/** The first bracket of a list is literal, and so are brackets of [. .], [= =] and [: :]. */
const list = String.raw`\[\^?\]?(?:\[\.[^]*?\.\]|\[=[^]*?=\]|\[:[^]*?:\]|${escape}|[^\]\\])*\]?`;

const atom = new RegExp(`${list}|${escape}|[^]`, 'uy');

const refused = (reason: string) => new Failure('invalid', `a regular expression ${reason}`);

/**
 * Refuses expressions that take PostgreSQL long: back-references, unbounded repetitions inside of
 * each other, and bounded ones that multiply (contract/parameters#expression-refused). It follows
 * PostgreSQL's advanced regular expressions as far as these need it. Whether an expression is
 * malformed is checked by PostgreSQL.
 *
 * @throws {Failure} `invalid` with the reason
 */
export function checkExpression(text: string): void {
  // With this director, the rest is literal text; with the other one, as without it.
  if (text.startsWith('***=')) return;
  const start = text.startsWith('***:') ? 4 : 0;
  const [options = '', letters = ''] = /^\(\?([a-z]+)\)/.exec(text.slice(start)) ?? [];
  // These have another syntax, and undo `q`.
  if (/[be]/.test(letters)) throw refused('is no advanced one');
  if (letters.includes('q')) return;
  const expanded = letters.lastIndexOf('x') > letters.lastIndexOf('t');
  const reader = new ExpressionReader(text.slice(start + options.length), expanded);
  if (reader.read().atoms > maxAtoms) throw refused('repeats too much');
}

/** Reads an expression from left to right. */
class ExpressionReader {
  #at = 0;
  readonly #ignored: RegExp;
  readonly #bound: RegExp;

  /** @param expanded whether white space and comments are ignored, inside of bounds too */
  constructor(
    private readonly text: string,
    private readonly expanded: boolean,
  ) {
    const ignored = expanded ? ignoredIfExpanded : '(?!)';
    this.#ignored = new RegExp(String.raw`(?:${ignored}|\(\?#[^)]*(?:\)|$))+`, 'uy');
    this.#bound = new RegExp(String.raw`\{(?:${ignored})*\d(?:${ignored}|[\d,])*\}`, 'uy');
  }

  read(): Cost {
    return this.#alternatives(/$/y);
  }

  /** Reads alternatives up to the end of their group, or of the text. */
  #alternatives(end: RegExp): Cost {
    let atoms = 0;
    let unbounded = false;
    for (;;) {
      this.#skipIgnored();
      if (this.#take(end) !== null || this.#at >= this.text.length) break;
      const cost = this.#repeated(this.#atom());
      atoms += cost.atoms;
      unbounded ||= cost.unbounded;
    }
    return { atoms, unbounded };
  }

  #atom(): Cost {
    if (this.#take(/\((?:\?(?:<?[=!]|:))?/y) !== null) {
      const { atoms, unbounded } = this.#alternatives(/\)/y);
      return { atoms: Math.max(1, atoms), unbounded };
    }
    if (this.#take(/\\[1-9]/y) !== null) throw refused('has a back-reference');
    this.#take(atom);
    return { atoms: 1, unbounded: false };
  }

  /** Reads the quantifiers after an atom. */
  #repeated(atom: Cost): Cost {
    let cost = atom;
    for (;;) {
      this.#skipIgnored();
      const found = this.#take(/[*+?]/y) ?? this.#take(this.#bound);
      if (found === null) return cost;
      cost = repeat(
        cost,
        this.expanded ? found.replaceAll(new RegExp(ignoredIfExpanded, 'gu'), '') : found,
      );
    }
  }

  #skipIgnored(): void {
    this.#take(this.#ignored);
  }

  /** Reads what a sticky pattern matches here; null when it does not. */
  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.text) ?? [null];
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** The cost of a part that a quantifier repeats. */
function repeat({ atoms, unbounded }: Cost, quantifier: string): Cost {
  if (quantifier === '?') return { atoms, unbounded };
  const [, least = '0', range, most = least] = /^\{(\d+)(,(\d*))?\}$/.exec(quantifier) ?? [];
  const isUnbounded = !quantifier.startsWith('{') || (range !== undefined && most === '');
  if (isUnbounded && unbounded) throw refused('repeats a repetition without an upper bound');
  const times = Math.min(maxBound, Math.max(1, Number(isUnbounded ? least : most)));
  return { atoms: atoms * times, unbounded: unbounded || isUnbounded };
}
