import { Failure, shownName } from '@registrar/contracts';
import { TextEncoding } from './text-encoding.ts';

/** How many fields a form or a query string may have. */
export const maxFields = 1000;

/** The encoding of query strings. */
const utf8 = new TextEncoding();

/** The fields of a form or a query string. */
export interface FormFields {
  readonly fields: URLSearchParams;
  /** Why the form cannot be read as a whole; `fields` are those that precede a limit. */
  readonly fault: Failure | null;
}

/**
 * Parses a query string, or the body of a form, as the URL Standard says (section 5.1), and finds text that is not in
 * its encoding. No more is parsed than may be given: a text of 256 KiB can have a hundred thousand fields.
 *
 * @param encoding of the bytes that percent signs escape, and of those that none does
 */
export function parseForm(bytes: Buffer, encoding = utf8): FormFields {
  const end = endOfFields(bytes);
  const read = end < 0 ? bytes : bytes.subarray(0, end);
  const tooMany =
    end >= 0 && end + 1 < bytes.length ? new Failure('invalid', 'too many parameters') : null;
  if (!encoding.isUtf8) {
    try {
      return { fields: decodedFields(read, encoding), fault: tooMany };
    } catch (error) {
      return { fields: new URLSearchParams(), fault: Failure.from(error) };
    }
  }
  const fields = fieldsOf(read.toString());
  return { fields, fault: tooMany ?? encodingFault(read, fields, encoding) };
}

/** Where the last field that may be given ends; -1 if all may. */
function endOfFields(bytes: Buffer): number {
  let end = -1;
  for (let field = 0; field < maxFields; field += 1) {
    end = bytes.indexOf('&', end + 1);
    if (end < 0) return -1;
  }
  return end;
}

/** URLSearchParams would drop a question mark at the beginning. */
const fieldsOf = (text: string) =>
  new URLSearchParams(withSpaces(text.startsWith('?') ? `&${text}` : text));

const codeOf = (character: string) => character.charCodeAt(0);
const [plus, space, percent] = [codeOf('+'), codeOf(' '), codeOf('%')];

/** Writes plus signs as the spaces that they stand for: URLSearchParams needs a second for 8 MiB of them. */
function withSpaces(text: string): string {
  if (!text.includes('+')) return text;
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === plus) bytes[at] = space;
  return bytes.toString();
}

/** What URLSearchParams writes in the place of bytes that are not UTF-8, and for the same character itself. */
const replacement = '\ufffd';

/** That character in the bytes of a form, in which each of its bytes may be escaped. */
const writtenReplacement = /(?:%ef|\xef)(?:%bf|\xbf)(?:%bd|\xbd)/i;

/** The failure for the first field that is not in its encoding. Only a field with {@link replacement} can be one. */
function encodingFault(
  bytes: Buffer,
  fields: URLSearchParams,
  encoding: TextEncoding,
): Failure | null {
  const suspect = [...fields].find(([name, value]) => (name + value).includes(replacement));
  if (!suspect) return null;
  const [name] = suspect;
  if (!writtenReplacement.test(bytes.toString('latin1'))) {
    if (name.includes(replacement)) return encoding.faultOf(nameOfParameter);
    const shown = shownName(name);
    return encoding.faultOf(shown, shown);
  }
  try {
    decodedFields(bytes, encoding);
    return null;
  } catch (error) {
    return Failure.from(error);
  }
}

const nameOfParameter = 'the name of a parameter';

/** @throws {Failure} `invalid` for a field that is not in the encoding */
function decodedFields(bytes: Buffer, encoding: TextEncoding): URLSearchParams {
  const fields = new URLSearchParams();
  for (const field of bytes.toString('latin1').split('&')) {
    if (field === '') continue;
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(field) ?? [];
    const decodedName = encoding.decode(unescaped(name), nameOfParameter);
    const shown = shownName(decodedName);
    fields.append(decodedName, encoding.decode(unescaped(value), shown, shown));
  }
  return fields;
}

/** The bytes that a part of a form stands for. */
function unescaped(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    const escaped = byte === percent ? hexByte(bytes, at + 1) : -1;
    if (escaped >= 0) at += 2;
    bytes[length] = escaped >= 0 ? escaped : byte === plus ? space : byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}

/** The byte that two hexadecimal digits stand for; -1 for others. */
function hexByte(bytes: Buffer, at: number): number {
  const [high, low] = [hexDigit(bytes[at]), hexDigit(bytes[at + 1])];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}
