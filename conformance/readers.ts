import { parse } from 'csv-parse/sync';
import { SaxesParser } from 'saxes';

/** An element as an independent XML parser reads it. */
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

/** The rows of a CSV document with a header, by another reader than the writer's library. */
export const parseCsv = (text: string): Record<string, string>[] =>
  parse(text, { columns: true, relaxColumnCount: false });
