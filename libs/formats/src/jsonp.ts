import { Failure } from '#libs/contracts';

export const jsonpContentType = 'application/javascript; charset=utf-8';

const dottedIdentifiers = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*$/;

/** The name of the function that a JSONP answer calls. @throws {Failure} `invalid` (decision 9) */
export function parseCallback(name: string): string {
  if (name.length <= 64 && dottedIdentifiers.test(name)) return name;
  throw new Failure('invalid', 'callback is no dotted identifier of at most 64 characters');
}

// The comment keeps the answer from being taken for another kind of file by its first bytes.
const opening = (callback: string) => `/**/${callback}(`;
const closing = ');';

/** Line separators are legal in JSON and were not in scripts before ECMAScript 2019. */
const scriptText = (json: string) =>
  json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** JSON text as a script that hands it to `callback`. */
export const jsonpText = (callback: string, json: string): string =>
  opening(callback) + scriptText(json) + closing;

/** {@link jsonpText} for text that comes in pieces. */
export async function* wrapJsonp(
  callback: string,
  json: AsyncIterable<string>,
): AsyncGenerator<string> {
  yield opening(callback);
  for await (const piece of json) yield scriptText(piece);
  yield closing;
}
