import { type Element, js2xml } from 'xml-js';

/** All that XML 1.0 (2.2) does not allow in a document, and halves of characters. */
const forbidden =
  // eslint-disable-next-line no-control-regex -- these very characters are meant
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * Text for xml-js, which takes `&amp;` back to `&` before it escapes texts, and escapes nothing
 * but quotation marks in attributes.
 */
const text = (value: string) => value.replace(forbidden, '').replaceAll('&', '&amp;');
const attribute = (value: string) => reference(text(value).replaceAll('<', '&lt;'), /[\t\n\r]/g);

/** White space that a reader would change (XML 1.0, 2.11 and 3.3.3), as character references. */
const reference = (value: string, characters: RegExp) =>
  value.replace(characters, (character) => `&#${character.charCodeAt(0)};`);

/** An element with text, or with elements, or empty. */
export function element(
  name: string,
  attributes: Record<string, string>,
  content: string | Element[],
): Element {
  return {
    type: 'element',
    name,
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, attribute(value)]),
    ),
    elements: typeof content === 'string' ? [{ type: 'text', text: text(content) }] : content,
  };
}

/** An XML document with its declaration, on one line after it. */
export function writeDocument(root: Element): string {
  const xml = js2xml({ elements: [root] }, { textFn: (escaped) => reference(escaped, /\r/g) });
  return `<?xml version="1.0" encoding="utf-8" ?>\n${xml}`;
}
