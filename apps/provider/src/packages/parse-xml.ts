import sax from 'sax';
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

/** What an XML file of a package may have. The limits hold while it is parsed. */
export const xmlLimits = {
  bytes: 4 * 1024 * 1024,
  elements: 100_000,
  attributes: 200_000,
  /** Levels of elements. */
  depth: 100,
  /** Characters of a text, a value, a name or a comment: what the parser keeps of one. */
  textLength: 64 * 1024,
};

/** Characters that are parsed at a time: the parser checks the length of what it keeps after each of them. */
const stepLength = 16 * 1024;

/**
 * Parses a file of a package. Entities that the file defines are rejected, so that none can expand.
 *
 * @throws {PackageError} if it is not well-formed or exceeds the limits
 */
export function parseXml(bytes: Buffer, path: string): XmlElement {
  const parser = sax.parser(true);
  const tree = new Tree(path);
  parser.onopentagstart = ({ name }) => tree.open(name);
  parser.onattribute = ({ name, value }) => tree.addAttribute(name, value);
  parser.ontext = (text) => tree.addText(text.trim() && text);
  parser.oncdata = (text) => tree.addText(text);
  parser.onclosetag = () => tree.close();
  parser.onerror = (error) => {
    throw error;
  };
  try {
    const text = decode(bytes);
    for (let at = 0; at < text.length; at += stepLength) {
      parser.write(text.slice(at, at + stepLength));
    }
    parser.close();
  } catch (error) {
    if (error instanceof PackageError) throw error;
    const { message } = error as Error;
    if (message.startsWith('Max buffer length exceeded')) throw tree.exceeds('textLength');
    throw new PackageError(`${path} is not well-formed XML (line ${parser.line + 1}).`, {
      cause: error,
    });
  }
  if (!tree.root) throw new PackageError(`${path} is not well-formed XML.`);
  return tree.root;
}

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/** The elements of a file, as they are parsed. */
class Tree {
  root: XmlElement | undefined;
  readonly #open: OpenElement[] = [];
  readonly #path: string;
  #elements = 0;
  #attributes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  open(name: string): void {
    this.#elements += 1;
    if (this.#elements > xmlLimits.elements) throw this.exceeds('elements');
    if (this.#open.length >= xmlLimits.depth) throw this.exceeds('depth');
    this.#open.push({ name: localName(name), attributes: {}, children: [], text: '' });
  }

  addAttribute(name: string, value: string): void {
    this.#attributes += 1;
    if (this.#attributes > xmlLimits.attributes) throw this.exceeds('attributes');
    const element = this.#open.at(-1);
    if (element) element.attributes[localName(name)] = value.trim();
  }

  addText(text: string): void {
    const element = this.#open.at(-1);
    if (!element) return;
    element.text += text;
    if (element.text.length > xmlLimits.textLength) throw this.exceeds('textLength');
  }

  close(): void {
    const element = this.#open.pop();
    if (!element) return;
    element.text = element.text.trim();
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else this.root ??= element;
  }

  exceeds(limit: keyof typeof limitMessages): PackageError {
    return new PackageError(`${this.#path} ${limitMessages[limit]}.`);
  }
}

const limitMessages = {
  elements: `has more than ${xmlLimits.elements} elements`,
  attributes: `has more than ${xmlLimits.attributes} attributes`,
  depth: `is nested too deeply: more than ${xmlLimits.depth} levels`,
  textLength: `has a text, value or comment of more than ${xmlLimits.textLength} characters`,
};

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
