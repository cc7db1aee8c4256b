import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';

/** An XML element, read by a parser that shares no code with the service's writer. */
export class XmlElement {
  readonly children: XmlElement[] = [];
  text = '';

  constructor(
    readonly name: string,
    readonly attributes: Readonly<Record<string, string>>,
  ) {}

  textOf(child: string): string | undefined {
    return this.children.find(({ name }) => name === child)?.text;
  }
}

/** @throws when `text` is not a well-formed document */
export function parseXml(text: string): XmlElement {
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = new XmlElement(name, attributes);
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('text', (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  if (!root) throw new Error('the document has no root');
  return root;
}

/** The rows of a CSV document with a header, read by a library that the service does not use. */
export const parseCsv = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, relaxColumnCount: false });
