import { StringDecoder } from 'node:string_decoder';

const backslash = '\\'.charCodeAt(0);
const unicode = 'u'.charCodeAt(0);
/** The lengths of `\u0041` and `\n`. */
const [unicodeEscapeLength, shortEscapeLength] = [6, 2];

/** Decodes a string of JSON piece by piece, without its quotes: RFC 8259, section 7. */
export class JsonStringDecoder {
  readonly #utf8 = new StringDecoder('utf8');
  readonly #decoded: string[] = [];
  /** The beginning of an escape whose end has not arrived. */
  #escape: Buffer = Buffer.alloc(0);

  /** @throws {SyntaxError} for what is no string */
  write(bytes: Buffer): void {
    const input = this.#escape.length > 0 ? Buffer.concat([this.#escape, bytes]) : bytes;
    const end = completeLength(input);
    this.#escape = input.subarray(end);
    this.#push(this.#utf8.write(input.subarray(0, end)));
  }

  /** @throws {SyntaxError} for what is no string */
  text(): string {
    this.#push(this.#utf8.end() + this.#escape.toString());
    return this.#decoded.join('');
  }

  #push(escaped: string): void {
    if (escaped !== '') this.#decoded.push(JSON.parse(`"${escaped}"`) as string);
  }
}

/** The length of the bytes before an escape that is not complete. */
function completeLength(input: Buffer): number {
  let at = input.indexOf(backslash);
  while (at >= 0) {
    const next = at + (input[at + 1] === unicode ? unicodeEscapeLength : shortEscapeLength);
    if (next > input.length) return at;
    at = input.indexOf(backslash, next);
  }
  return input.length;
}
