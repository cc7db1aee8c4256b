import { isUtf8 } from 'node:buffer';
import { Failure } from '@registrar/contracts';

/** The encoding of text that does not state another one. */
const defaultCharset = 'utf-8';

/** The `charset` that a Content-Type states. */
export const charsetOf = (contentType = ''): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1];

/** Decodes the text of a body, in its declared charset or in UTF-8 (contract/parameters#encoding). */
export class TextEncoding {
  readonly isUtf8: boolean;
  readonly #decoder: InstanceType<typeof TextDecoder>;

  /** @throws {Failure} `invalid` for a charset that is not known */
  constructor(charset = defaultCharset) {
    const shown = charset.slice(0, 40);
    try {
      this.#decoder = new TextDecoder(charset, { fatal: true });
    } catch {
      throw new Failure('invalid', `the charset ${JSON.stringify(shown)} is not known: send UTF-8`);
    }
    this.isUtf8 = this.#decoder.encoding === defaultCharset;
    // Separators of forms would not be single bytes.
    if (this.#decoder.encoding.startsWith('utf-16')) {
      throw new Failure(
        'invalid',
        `the charset ${JSON.stringify(shown)} is not accepted: send UTF-8`,
      );
    }
  }

  /**
   * @param what is decoded, for the message
   * @throws {Failure} `invalid` for bytes that are no text in this encoding
   */
  decode(bytes: Buffer, what: string, parameter?: string): string {
    const text = this.tryDecode(bytes);
    if (text === null) throw this.faultOf(what, parameter);
    return text;
  }

  /** Returns null for bytes that are no text in this encoding. */
  tryDecode(bytes: Buffer): string | null {
    if (this.isUtf8) return isUtf8(bytes) ? bytes.toString() : null;
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return null;
    }
  }

  /** The failure for bytes that are no text in this encoding. */
  faultOf(what: string, parameter?: string): Failure {
    const { encoding } = this.#decoder;
    const remedy = this.isUtf8 ? ': state its charset in Content-Type, or send UTF-8' : '';
    const reason = `${what} is not valid ${encoding.toUpperCase()}${remedy}`;
    return new Failure('invalid', reason, undefined, { ...(parameter && { parameter }) });
  }
}
