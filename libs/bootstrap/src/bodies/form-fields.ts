import { Failure, shownName } from '@registrar/contracts';
import { TextEncoding } from './text-encoding.ts';

/** How many fields a form or a query string may have. */
export const maxFields = 1000;

/** The encoding of query strings. */
const utf8 = new TextEncoding();

/** The fields of a form or a query string. */
export interface FormFields {
  /** Those within the limit; {@link replacement} in place of text that is not valid in its encoding. */
  readonly fields: URLSearchParams;
  /** Why the form cannot be read as a whole. */
  readonly fault: Failure | null;
}

/** Stands for a name or a value that is not in its encoding: the parameter is given, and its value is not valid. */
const replacement = '\ufffd';

/**
 * Parses a query string, or the body of a form, as the URL Standard says (section 5.1). Text that is not valid in
 * `encoding` is a fault. No more is parsed than may be given: a text of 256 KiB can have a hundred thousand fields.
 *
 * Node's URLSearchParams decodes UTF-8 only. For 8 MiB of escapes that are not UTF-8 it takes four times as long.
 *
 * @param encoding of the bytes that percent signs escape, and of those that none does
 */
export function parseForm(bytes: Buffer, encoding = utf8): FormFields {
  const { parts, isComplete } = splitFields(bytes);
  const tooMany = isComplete ? null : new Failure('invalid', 'too many parameters');
  const fields = new URLSearchParams();
  let malformed: Failure | null = null;
  for (const field of parts) {
    const equals = field.indexOf('=');
    const nameEnd = equals < 0 ? field.length : equals;
    const name = encoding.tryDecode(unescaped(field.subarray(0, nameEnd)));
    const value = encoding.tryDecode(unescaped(field.subarray(nameEnd + 1)));
    if (name === null || value === null) {
      malformed ??= faultOfField(name, encoding);
      // Decoders of other encodings throw, which would take long a thousand times.
      if (!encoding.isUtf8) break;
    }
    fields.append(name ?? replacement, value ?? replacement);
  }
  return { fields, fault: tooMany ?? malformed };
}

function faultOfField(name: string | null, encoding: TextEncoding): Failure {
  if (name === null) return encoding.faultOf('the name of a parameter');
  const shown = shownName(name);
  return encoding.faultOf(shown, shown);
}

/** The fields that may be given, without empty ones, and whether they are all. Empty ones count. */
function splitFields(bytes: Buffer): { parts: Buffer[]; isComplete: boolean } {
  const parts: Buffer[] = [];
  let start = 0;
  for (let count = 0; count < maxFields && start < bytes.length; count += 1) {
    const next = bytes.indexOf('&', start);
    const end = next < 0 ? bytes.length : next;
    if (end > start) parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return { parts, isComplete: start >= bytes.length };
}

const codeOf = (character: string) => character.charCodeAt(0);
const [plus, space, percent] = [codeOf('+'), codeOf(' '), codeOf('%')];

/** The value of each hexadecimal digit by its code; -1 for other bytes. */
const hexDigits = Int8Array.from({ length: 256 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/** The bytes that a part of a form stands for. */
function unescaped(part: Buffer): Buffer {
  if (!part.includes(percent) && !part.includes(plus)) return part;
  const bytes = Buffer.allocUnsafe(part.length);
  let length = 0;
  for (let at = 0; at < part.length; at += 1) {
    let byte = part[at]!;
    if (byte === plus) byte = space;
    else if (byte === percent) {
      // Negative unless both are digits.
      const escaped = (hexDigits[part[at + 1] ?? 0]! << 4) | hexDigits[part[at + 2] ?? 0]!;
      if (escaped >= 0) {
        byte = escaped;
        at += 2;
      }
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}
