import { Failure } from '@registrar/contracts';

export const jsonpContentType = 'application/javascript; charset=utf-8';

const dottedIdentifier = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/**
 * Validates the name of a JSONP callback (contract/formats#jsonp-names).
 *
 * @throws {Failure} `invalid` when it is not a dotted identifier of at most 64 characters
 */
export function parseJsonpCallback(name: string): string {
  if (name.length <= 64 && dottedIdentifier.test(name)) return name;
  throw new Failure('invalid', 'callback is not a dotted identifier of at most 64 characters');
}

// The comment prevents a browser from detecting another content type by the first bytes.
const opening = (callback: string) => `/**/${callback}(`;
const closing = ');';

/** Escapes U+2028 and U+2029, which JSON allows and scripts did not before ECMAScript 2019. */
const scriptText = (json: string) =>
  json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** Returns a script that passes JSON text to the callback. */
export const jsonpText = (callback: string, json: string): string =>
  opening(callback) + scriptText(json) + closing;

/** Streaming form of {@link jsonpText}. */
export async function* wrapJsonp(
  callback: string,
  json: AsyncIterable<string>,
): AsyncGenerator<string> {
  yield opening(callback);
  for await (const piece of json) yield scriptText(piece);
  yield closing;
}
