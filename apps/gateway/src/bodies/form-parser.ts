import type { ParameterCollection } from '../parameters/request-parameters.ts';
import type { BodyParser } from './body-parser.ts';
import { PercentDecoder } from './percent-decoder.ts';

const ampersand = '&'.charCodeAt(0);
const equals = '='.charCodeAt(0);

/** Parses a query string, and `application/x-www-form-urlencoded` (contract/parameters#body-form). */
export class FormParser implements BodyParser {
  #name = new PercentDecoder();
  /** Null until the equals sign. */
  #value: PercentDecoder | null = null;

  constructor(private readonly given: ParameterCollection) {}

  write(chunk: Buffer): void {
    let start = 0;
    while (start < chunk.length) {
      const found = chunk.indexOf(ampersand, start);
      const end = found < 0 ? chunk.length : found;
      if (end > start) this.#append(chunk.subarray(start, end));
      if (found >= 0) this.#endPair();
      start = end + 1;
    }
  }

  end(): void {
    this.#endPair();
  }

  #append(bytes: Buffer): void {
    if (this.#value) {
      this.#value.write(bytes);
      return;
    }
    const at = bytes.indexOf(equals);
    this.#name.write(at < 0 ? bytes : bytes.subarray(0, at));
    this.given.checkNameBytes(this.#name.length);
    if (at < 0) return;
    this.#value = new PercentDecoder();
    this.#value.write(bytes.subarray(at + 1));
  }

  #endPair(): void {
    if (!this.#value && this.#name.length === 0) return;
    this.given.add(this.#name.text(), this.#value?.text() ?? '');
    this.#name = new PercentDecoder();
    this.#value = null;
  }
}
