const percent = '%'.charCodeAt(0);
const plus = '+'.charCodeAt(0);
const space = ' '.charCodeAt(0);

/** The value of each hexadecimal digit by its byte; -1 for other bytes. */
const digits = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/**
 * Decodes a name or a value of a form piece by piece (URL Standard, section 5.1): a malformed escape
 * stays as it is, and invalid UTF-8 becomes U+FFFD.
 */
export class PercentDecoder {
  readonly #decoded: Buffer[] = [];
  /** The beginning of an escape whose end has not arrived. */
  #escape: Buffer = Buffer.alloc(0);
  #length = 0;

  /** The number of decoded bytes. */
  get length(): number {
    return this.#length + this.#escape.length;
  }

  write(bytes: Buffer): void {
    const input = this.#escape.length > 0 ? Buffer.concat([this.#escape, bytes]) : bytes;
    this.#escape = Buffer.alloc(0);
    this.#push(input.includes(percent) || input.includes(plus) ? this.#decode(input) : input);
  }

  text(): string {
    return Buffer.concat(this.#decoded).toString() + this.#escape.toString().replace('+', ' ');
  }

  #push(decoded: Buffer): void {
    this.#decoded.push(decoded);
    this.#length += decoded.length;
  }

  #decode(input: Buffer): Buffer {
    const output = Buffer.allocUnsafe(input.length);
    let length = 0;
    for (let at = 0; at < input.length; at += 1) {
      const byte = input[at]!;
      if (byte === percent && at + 2 >= input.length) {
        this.#escape = input.subarray(at);
        break;
      }
      const value = byte === percent ? escapedByte(input[at + 1]!, input[at + 2]!) : -1;
      if (value >= 0) at += 2;
      output[length] = value >= 0 ? value : byte === plus ? space : byte;
      length += 1;
    }
    return output.subarray(0, length);
  }
}

/** The byte of two hexadecimal digits; -1 for anything else. */
function escapedByte(first: number, second: number): number {
  const [high, low] = [digits[first]!, digits[second]!];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}
