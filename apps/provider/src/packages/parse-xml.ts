import { type Element, xml2js } from 'xml-js';
import { PackageError } from './package-error.ts';

/**
 * An element of a manifest. Names of elements and attributes are in lower case and without
 * prefixes, because the standards and their editions differ in both. Values are trimmed.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text content without that of child elements, trimmed. */
  readonly text: string;
}

const maxDepth = 100;

/**
 * Appended to a document before it is parsed. The parser does not report unclosed elements, but
 * then the comment is not the last node of the document.
 */
const end = '<!--end-->';

/**
 * Parses a file of a package. Entities other than XML's predefined five are rejected, so that none
 * can expand.
 *
 * @throws {PackageError} if it is not well-formed
 */
export function parseXml(bytes: Buffer, path: string): XmlElement {
  let root: Element | undefined;
  try {
    const document = xml2js(decode(bytes) + end, { compact: false }) as Element;
    if (document.elements?.at(-1)?.type === 'comment') {
      root = document.elements.find(({ type }) => type === 'element');
    }
  } catch (error) {
    const [line] = /(?<=Line: )\d+/.exec((error as Error).message) ?? [];
    const where = line === undefined ? '' : ` (line ${Number(line) + 1})`;
    throw new PackageError(`${path} is not well-formed XML${where}.`, { cause: error });
  }
  if (!root) throw new PackageError(`${path} is not well-formed XML.`);
  return elementOf(root, path, 0);
}

/** Returns the descendant at a path of element names, taking the first match of each name. */
export function descend(
  element: XmlElement | undefined,
  ...names: string[]
): XmlElement | undefined {
  return names.reduce((at, name) => at?.children.find((child) => child.name === name), element);
}

export const childrenOf = (element: XmlElement | undefined, name: string): XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

export const textAt = (element: XmlElement | undefined, ...names: string[]): string =>
  descend(element, ...names)?.text ?? '';

/** Returns the number, or null if it is absent, malformed or out of range. */
export function numberIn(text: string | undefined, min: number, max: number): number | null {
  const value = text ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}

function elementOf(element: Element, path: string, depth: number): XmlElement {
  if (depth > maxDepth) throw new PackageError(`${path} is nested too deeply.`);
  const inside = element.elements ?? [];
  return {
    name: localName(element.name ?? ''),
    attributes: Object.fromEntries(
      Object.entries(element.attributes ?? {}).map(([name, value]) => [
        localName(name),
        String(value ?? '').trim(),
      ]),
    ),
    children: inside
      .filter(({ type }) => type === 'element')
      .map((child) => elementOf(child, path, depth + 1)),
    text: inside
      .map(({ text, cdata }) => String(text ?? cdata ?? ''))
      .join('')
      .trim(),
  };
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1).toLowerCase();

function decode(bytes: Buffer): string {
  const declared = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200));
  const text = new TextDecoder(byteOrderMark(bytes) ?? declared?.[1] ?? 'utf-8').decode(bytes);
  // XML forbids NUL and PostgreSQL cannot store it, but the parser accepts it.
  return text.replaceAll('\0', '');
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb ? 'utf-8' : undefined;
}
