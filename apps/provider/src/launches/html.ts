/** Escapes a text for HTML, in an element or a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

/** Writes a value as JSON for a `script` element, which no text in it ends. */
export const jsonForHtml = (value: unknown): string =>
  JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
