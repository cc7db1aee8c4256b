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

const refused = (reason: string) => new Failure('invalid', `a regular expression ${reason}`);

/**
 * Refuses expressions that take PostgreSQL long: back-references, unbounded repetitions inside of
 * each other, and bounded ones that multiply (contract/parameters#expression-refused). It follows
 * PostgreSQL's advanced regular expressions as far as these need it. Whether an expression is
 * malformed is PostgreSQL's to say.
 *
 * @throws {Failure} `invalid` with the reason
 */
export function checkExpression(text: string): void {
  // With this director, the rest is literal text; with the other one, as without it.
  if (text.startsWith('***=')) return;
  const start = text.startsWith('***:') ? 4 : 0;
  const [options = '', letters = ''] = /^\(\?([a-z]+)\)/.exec(text.slice(start)) ?? [];
  if (letters.includes('q')) return;
  // These have another syntax.
  if (/[be]/.test(letters)) throw refused('is no advanced one');
  const reader = new ExpressionReader(text.slice(start + options.length), letters.includes('x'));
  if (reader.read().atoms > maxAtoms) throw refused('repeats too much');
}

/** Reads an expression from left to right. */
class ExpressionReader {
  #at = 0;

  constructor(
    private readonly text: string,
    /** White space and comments are ignored. */
    private readonly expanded: boolean,
  ) {}

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
    if (this.#take(/\((?:\?(?:<?[=!]|:))?/y) !== null) return this.#alternatives(/\)/y);
    if (this.#take(/\\[1-9]/y) !== null) throw refused('has a back-reference');
    // The first bracket of a list is literal, and so are brackets of [. .], [= =] and [: :].
    const list = /\[\^?\]?(?:\[\.[^]*?\.\]|\[=[^]*?=\]|\[:[^]*?:\]|\\[^]|[^\]\\])*\]?/y;
    if (this.#take(list) === null) this.#take(/\\?[^]/y);
    return { atoms: 1, unbounded: false };
  }

  /** Reads the quantifiers after an atom. */
  #repeated(atom: Cost): Cost {
    let cost = atom;
    for (;;) {
      this.#skipIgnored();
      const found = this.#take(/[*+?]|\{(?:\d+)(?:,\d*)?\}/y);
      if (found === null) return cost;
      cost = repeat(cost, found);
    }
  }

  #skipIgnored(): void {
    const ignored = this.expanded ? /(?:\s|#[^\n]*|\(\?#[^)]*\))+/y : /(?:\(\?#[^)]*\))+/y;
    this.#take(ignored);
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
