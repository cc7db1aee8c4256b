import { Failure } from '@registrar/contracts';
import type { ParameterCollection } from '../parameters/request-parameters.ts';
import type { BodyParser } from './body-parser.ts';
import { JsonStringDecoder } from './json-string-decoder.ts';

/** How deeply the values of a body may be nested, and how many there may be in all of them. */
const maxDepth = 32;
const maxNestedValues = 100_000;

/**
 * The longest array or object whose JSON text is parsed and written anew, without white space, and
 * the longest number: bytes. Of longer arrays and objects only the brackets are checked: they are
 * lists, which their operation parses.
 */
const maxRewrittenBytes = 65_536;

const invalid = (reason: string) => new Failure('invalid', reason);
const notJson = () => invalid('the body is not valid JSON');

const byteOf = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma, colon] = ['"', '\\', ',', ':'].map(byteOf);
const [openBrace, closeBrace, openBracket, closeBracket] = ['{', '}', '[', ']'].map(byteOf);
/** What closes each opening bracket. */
const closings = new Map([
  [openBrace, closeBrace],
  [openBracket, closeBracket],
]);
/** The first characters of numbers, `true`, `false` and `null`. */
const literalStarts = new Set([...'-0123456789tfn'].map(byteOf));
const blank = new Set([' ', '\t', '\r', '\n'].map(byteOf));
/** Some clients begin with it. */
const byteOrderMark = new Set([0xef, 0xbb, 0xbf]);

/** What the next byte that is not blank belongs to. */
type Place =
  'body' | 'first name' | 'name' | 'colon' | 'value' | 'within' | 'literal' | 'comma' | 'nothing';

/**
 * Parses a JSON object whose members are the parameters (contract/parameters#body-json). It splits
 * the members while they arrive, so that no body is parsed as a whole.
 */
export class JsonParser implements BodyParser {
  #place: Place = 'body';
  /** The name of the member whose value is being read; null while its name is. */
  #name: string | null = null;
  /** The text of the name or value that is being read. */
  #text: Buffer[] = [];
  #textBytes = 0;
  /** The value that is being read, if it is a string; it may be long. */
  #string: JsonStringDecoder | null = null;
  #isInString = false;
  #isEscaped = false;
  /** The brackets that are to be closed. */
  readonly #closings: (number | undefined)[] = [];
  #nestedValues = 0;

  constructor(private readonly given: ParameterCollection) {}

  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#place === 'within' || this.#place === 'literal') {
        const isLiteral = this.#place === 'literal';
        const end = isLiteral ? literalEnd(chunk, at) : this.#findEnd(chunk, at);
        const hasEnded = isLiteral
          ? end < chunk.length
          : this.#closings.length === 0 && !this.#isInString;
        this.#keep(chunk.subarray(at, end), hasEnded);
        at = end;
      } else {
        const byte = chunk[at]!;
        // A name or value begins with this byte, so it is read again.
        if (blank.has(byte) || !this.#begin(byte)) at += 1;
      }
    }
  }

  end(): void {
    if (this.#place === 'nothing') return;
    throw this.#place === 'body'
      ? invalid('the body is empty, but its Content-Type is application/json')
      : notJson();
  }

  /** Takes a byte between texts. @returns whether a text begins with it */
  #begin(byte: number): boolean {
    switch (this.#place) {
      case 'body':
        if (byte === openBracket) throw invalid('the body is not a JSON object');
        if (byte === openBrace) this.#place = 'first name';
        else if (!byteOrderMark.has(byte)) throw notJson();
        return false;
      case 'first name':
      case 'comma':
        if (byte === closeBrace) this.#place = 'nothing';
        else if (this.#place === 'comma' && byte === comma) this.#place = 'name';
        else if (this.#place === 'first name') return this.#beginName(byte);
        else throw notJson();
        return false;
      case 'name':
        return this.#beginName(byte);
      case 'colon':
        if (byte !== colon) throw notJson();
        this.#place = 'value';
        return false;
      case 'value': {
        const isLiteral = byte !== quote && byte !== openBrace && byte !== openBracket;
        if (isLiteral && !literalStarts.has(byte)) throw notJson();
        this.#place = isLiteral ? 'literal' : 'within';
        if (byte === quote) this.#string = new JsonStringDecoder();
        return true;
      }
      case 'within':
      case 'literal':
      case 'nothing':
        throw notJson();
    }
  }

  #beginName(byte: number): true {
    if (byte !== quote) throw notJson();
    this.#place = 'within';
    return true;
  }

  /** Finds the end of a string, array or object that begins or goes on at `from`. */
  #findEnd(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at]!;
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) {
          this.#isInString = false;
          if (this.#closings.length === 0) return at + 1;
        }
      } else if (byte === quote) this.#isInString = true;
      else if (byte === openBrace || byte === openBracket) this.#descend(closings.get(byte));
      else if (byte === closeBrace || byte === closeBracket) {
        if (this.#closings.pop() !== byte) throw notJson();
        if (this.#closings.length === 0) return at + 1;
      } else if (byte === comma) this.#countNested();
    }
    return chunk.length;
  }

  #descend(closing: number | undefined): void {
    if (this.#closings.push(closing) > maxDepth) {
      throw invalid(`the body is nested more than ${maxDepth} levels deep`);
    }
    this.#countNested();
  }

  #countNested(): void {
    this.#nestedValues += 1;
    if (this.#nestedValues > maxNestedValues) {
      throw invalid(`the body has more than ${maxNestedValues} values`);
    }
  }

  /** Takes the next bytes of a name or a value. */
  #keep(bytes: Buffer, hasEnded: boolean): void {
    const isFirst = this.#textBytes === 0;
    const isLiteral = this.#place === 'literal';
    this.#textBytes += bytes.length;
    if (isLiteral && this.#textBytes > maxRewrittenBytes) throw notJson();
    if (this.#name === null) this.given.checkNameBytes(this.#textBytes);
    if (this.#string) {
      const [start, end] = [isFirst ? 1 : 0, hasEnded ? -1 : bytes.length];
      parsed(() => this.#string?.write(bytes.subarray(start, end)));
    } else this.#text.push(bytes);
    if (hasEnded) this.#endText();
  }

  #endText(): void {
    const text = this.#string ? null : Buffer.concat(this.#text).toString();
    if (this.#name === null) {
      this.#name = parsed(() => String(JSON.parse(text ?? '')));
      this.#place = 'colon';
    } else {
      this.given.add(
        this.#name,
        parsed(() => this.#string?.text() ?? valueOf(text ?? '')),
      );
      this.#name = null;
      this.#place = 'comma';
    }
    this.#string = null;
    this.#text = [];
    this.#textBytes = 0;
  }
}

/** A value that is no string. */
const valueOf = (text: string): unknown =>
  text.length > maxRewrittenBytes ? text : (JSON.parse(text) as unknown);

/** Finds the end of a number, `true`, `false` or `null`. */
function literalEnd(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at += 1) {
    const byte = chunk[at]!;
    if (byte === comma || byte === closeBrace || blank.has(byte)) return at;
  }
  return chunk.length;
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch {
    // The parser's message would repeat the value.
    throw notJson();
  }
}
