import * as fc from 'fast-check';

/** Texts that writers and parsers of JSON, XML and CSV often handle wrongly. */
const fragments = [
  ...['"', '""', "'", ',', ';', '\\', '\\u0041', '%', '%00', '{{x}}', '${x}'],
  ...['\n', '\r\n', '\r', '\t', ' ', '\u0085', '\u00a0', '\u2028', '\ufeff'],
  ...['<', '>', '&', '&amp;', '&#10;', ']]>', '<!--', '-->', '<![CDATA[', '<?x?>', '</custom>'],
  ...['=', '+', '-', '@', 'null', 'true', '[]', '{}', 'a', '0'],
  ...['\u0001', '\b', '\v', '\f', '\u001b', '\u001f', '\u007f', '\ufffe', '\uffff'],
  ...['é', 'e\u0301', 'ß', '漢字', 'עברית', '😀', '👩🏽‍🚀', '\u{10ffff}'],
];
const seed = 20_240_229;

/** Any well-formed text without U+0000, which no parameter may contain. */
const anyText = fc
  .string({ unit: 'binary', maxLength: 20 })
  .map((text) => text.replaceAll('\0', ''));
const mixed = fc
  .array(fc.oneof(fc.constantFrom(...fragments), anyText), { maxLength: 30 })
  .map((parts) => parts.join(''));

/** Edge cases that every sample includes. */
const edges = ['', ' ', '\n', '\r', '"', "'", '=1+1', '-', '@a', '\tb', '\rc', 'null', '0', ' a '];

const sample = <T>(arbitrary: fc.Arbitrary<T>, count: number) =>
  fc.sample(arbitrary, { numRuns: count, seed });

/** Returns the repeated fragments, cut to `length` UTF-16 units or to one less. */
export function longText(length: number): string {
  const all = fragments.join('');
  return wholeCharacters(all.repeat(Math.ceil(length / all.length)), length);
}

/**
 * Returns the edge cases, a text of maximum length and sampled texts, the same in every run.
 *
 * @param maxLength maximum length of a text in UTF-16 units
 */
export const edgeCaseTexts = (maxLength: number): string[] =>
  [...edges, longText(maxLength), ...sample(mixed, 25)].map((text) =>
    wholeCharacters(text, maxLength),
  );

/** Returns JSON values that contain those texts, also as keys. */
export function edgeCaseValues(): unknown[] {
  const scalars = [null, true, false, 0, -1.5, 1e21, [], {}, [[]], [null]];
  const nested = fc.jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom(...fragments) });
  // As JSON, the longest is about twice as long (contract/parameters#custom-length).
  return [...scalars, ...edgeCaseTexts(30_000), ...sample(nested, 25)];
}

/** Cuts a text without splitting a surrogate pair. */
const wholeCharacters = (text: string, maxLength: number) =>
  text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
