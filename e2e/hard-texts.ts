import * as fc from 'fast-check';

/** What writers and readers of JSON, XML and CSV have trouble with. */
const pieces = [
  ...['"', '""', "'", ',', ';', '\\', '\\u0041', '%', '%00', '{{x}}', '${x}'],
  ...['\n', '\r\n', '\r', '\t', ' ', '\u0085', '\u00a0', '\u2028', '\ufeff'],
  ...['<', '>', '&', '&amp;', '&#10;', ']]>', '<!--', '-->', '<![CDATA[', '<?x?>', '</custom>'],
  ...['=', '+', '-', '@', 'null', 'true', '[]', '{}', 'a', '0'],
  ...['\u0001', '\b', '\v', '\f', '\u001b', '\u001f', '\u007f', '\ufffe', '\uffff'],
  ...['é', 'e\u0301', 'ß', '漢字', 'עברית', '😀', '👩🏽‍🚀', '\u{10ffff}'],
];
const seed = 20_240_229;

/** Any well-formed text without the zero character, which no parameter may hold. */
const anyText = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((text) => text.replaceAll('\0', ''));
const mixed = fc
  .array(fc.oneof(fc.constantFrom(...pieces), anyText), { maxLength: 30 })
  .map((parts) => parts.join(''));

/** Texts that stand at an edge, whatever is drawn beside them. */
const edges = ['', ' ', '\n', '\r', '"', "'", '=1+1', '-', '@a', '\tb', '\rc', 'null', '0', ' a '];

const drawn = <T>(arbitrary: fc.Arbitrary<T>, count: number) =>
  fc.sample(arbitrary, { numRuns: count, seed });

/** A text of all pieces, over and over, that is `length` UTF-16 units long, or one less. */
export function longText(length: number): string {
  const all = pieces.join('');
  return wholeCharacters(all.repeat(Math.ceil(length / all.length)), length);
}

/**
 * The same texts in every run: the edges, a long one, and drawn ones.
 *
 * @param longest how many UTF-16 units a text may have
 */
export const hardTexts = (longest: number): string[] =>
  [...edges, longText(longest), ...drawn(mixed, 25)].map((text) => wholeCharacters(text, longest));

/** JSON values, with those texts in them and as their keys. */
export function hardValues(): unknown[] {
  const scalars = [null, true, false, 0, -1.5, 1e21, [], {}, [[]], [null]];
  const nested = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom(...pieces) });
  return [...scalars, ...hardTexts(60_000), ...drawn(nested, 25)];
}

/** Cut off, but never in the middle of a surrogate pair. */
const wholeCharacters = (text: string, longest: number) =>
  text.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
