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

/** What precedes and follows JSON text in a script that passes it to a callback. */
export const scriptAround = (callback: string) => ({
  // The comment prevents a browser from detecting another content type by the first bytes.
  opening: `/**/${callback}(`,
  closing: ');',
});

/** Escapes U+2028 and U+2029, which JSON allows and scripts did not before ECMAScript 2019. */
export const scriptText = (json: string) =>
  json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
