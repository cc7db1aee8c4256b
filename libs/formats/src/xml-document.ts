import { type Element, js2xml } from 'xml-js';

/** Characters that XML 1.0 (2.2) forbids, and lone surrogates. */
const forbiddenCharacters =
  // oxlint-disable-next-line no-control-regex -- these very characters are meant
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Escapes text for xml-js, which decodes `&amp;` before it escapes texts, and escapes only
 * quotation marks in attributes.
 */
const escapeText = (value: string) =>
  value.replace(forbiddenCharacters, '').replaceAll('&', '&amp;');
const escapeAttribute = (value: string) =>
  toCharacterReferences(escapeText(value).replaceAll('<', '&lt;'), /[\t\n\r]/g);

/** Escapes white space that an XML parser would normalize (XML 1.0, 2.11 and 3.3.3). */
const toCharacterReferences = (value: string, characters: RegExp) =>
  value.replace(characters, (character) => `&#${character.charCodeAt(0)};`);

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8" ?>\n';

/**
 * Creates an element with text or child elements. Characters that XML 1.0 forbids are removed
 * (contract/formats#xml-characters); every other character survives a round trip through a parser.
 */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | Element[],
): Element {
  return {
    type: 'element',
    name,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, escapeAttribute(value)]),
    ),
    elements: typeof content === 'string' ? [{ type: 'text', text: escapeText(content) }] : content,
  };
}

/** Serializes elements created with {@link xmlElement}, without an XML declaration. */
export const writeXml = (...elements: Element[]): string =>
  js2xml({ elements }, { textFn: (escaped) => toCharacterReferences(escaped, /\r/g) });
