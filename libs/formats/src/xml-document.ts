/** Characters that XML 1.0 (2.2) forbids, and lone surrogates. */
const forbiddenCharacters =
  // oxlint-disable-next-line no-control-regex -- these very characters are meant
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** What most texts have none of: characters that are removed or escaped, and surrogates. */
// oxlint-disable-next-line no-control-regex -- these very characters are meant
const unusualCharacters = /[\u0000-\u0008\u000b-\u001f&<>\ud800-\udfff\ufffe\uffff]/;

/** What texts and attributes have in common. */
const escapeMarkup = (value: string) =>
  value.replace(forbiddenCharacters, '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A parser would read a carriage return as a line feed (XML 1.0, 2.11). */
const escapeText = (value: string) =>
  unusualCharacters.test(value)
    ? escapeMarkup(value).replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
    : value;

/** A parser would read white space of an attribute as blanks (XML 1.0, 3.3.3). */
const escapeAttribute = (value: string) =>
  escapeMarkup(value)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);

export const xmlDeclaration = '<?xml version="1.0" encoding="utf-8" ?>\n';

/** An element as text, which is not escaped again. */
export type XmlElement = string & { readonly isElement: true };

/**
 * Writes an element with text or child elements. Characters that XML 1.0 forbids are removed
 * (contract/formats#xml-characters); every other character survives a round trip through a parser.
 */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  content: string | readonly XmlElement[],
): XmlElement {
  let start = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    start += ` ${key}="${escapeAttribute(value)}"`;
  }
  if (typeof content !== 'string' && content.length === 0) return `${start}/>` as XmlElement;
  const inner = typeof content === 'string' ? escapeText(content) : content.join('');
  return `${start}>${inner}</${name}>` as XmlElement;
}
