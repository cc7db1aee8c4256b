import sax from 'sax';
import type { Findings } from './findings.ts';
import { PackageError, refusal } from './package-error.ts';

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
  /** The line on which it begins, from 1. */
  readonly line: number;
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
export function parseXml(bytes: Buffer, path: string, findings: Findings): XmlElement {
  const parser = sax.parser(true);
  const document = newElement('', 1);
  /** From the document to the element that is being parsed. */
  const open = [document];
  let elements = 0;
  let attributes = 0;
  const place = () => ({ file: path, line: parser.line + 1 });
  const exceeds = (limit: keyof typeof limitMessages) =>
    refusal('manifest-too-large', `${path} ${limitMessages[limit]}.`, place());
  const addText = (text: string) => {
    const element = open.at(-1) ?? document;
    element.text += text;
    if (element.text.length > xmlLimits.textLength) throw exceeds('textLength');
  };
  parser.onopentagstart = ({ name }) => {
    elements += 1;
    if (elements > xmlLimits.elements) throw exceeds('elements');
    if (open.length > xmlLimits.depth) throw exceeds('depth');
    open.push(newElement(localName(name), parser.line + 1));
  };
  parser.onattribute = ({ name, value }) => {
    attributes += 1;
    if (attributes > xmlLimits.attributes) throw exceeds('attributes');
    (open.at(-1) ?? document).attributes[localName(name)] = value.trim();
  };
  parser.ontext = (text) => addText(text.trim() && text);
  parser.oncdata = addText;
  parser.onclosetag = () => {
    const element = open.pop() ?? document;
    element.text = element.text.trim();
    open.at(-1)?.children.push(element);
  };
  parser.onerror = (error) => {
    throw error;
  };
  try {
    const text = decode(bytes, path, findings);
    for (let at = 0; at < text.length; at += stepLength) {
      parser.write(text.slice(at, at + stepLength));
    }
    parser.close();
  } catch (error) {
    if (error instanceof PackageError) throw error;
    const { message } = error as Error;
    if (message.startsWith('Max buffer length exceeded')) throw exceeds('textLength');
    const reason = `${path} is not well-formed XML (line ${parser.line + 1}).`;
    throw refusal('manifest-malformed', reason, place(), { cause: error });
  }
  const [root] = document.children;
  if (!root) throw refusal('manifest-malformed', `${path} is not well-formed XML.`, place());
  return root;
}

const newElement = (name: string, line: number) => ({
  name,
  attributes: {} as Record<string, string>,
  children: [] as XmlElement[],
  text: '',
  line,
});

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

/** @throws {PackageError} if there is no such encoding */
function decode(bytes: Buffer, path: string, findings: Findings): string {
  const declared = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200));
  const encoding = byteOrderMark(bytes) ?? declared?.[1] ?? 'utf-8';
  const text = decoderOf(encoding, path).decode(bytes);
  const at = text.indexOf(replacementCharacter);
  if (at >= 0) {
    const line = text.slice(0, at).split('\n').length;
    const message = `${path} has bytes that are not ${encoding.toUpperCase()}: texts are damaged there.`;
    findings.add('xml-characters', message, { file: path, line });
  }
  // XML forbids NUL and PostgreSQL cannot store it, but the parser accepts it.
  return text.replaceAll('\0', '');
}

/** What a decoder writes for bytes that it cannot decode. */
const replacementCharacter = '\ufffd';

function decoderOf(encoding: string, path: string) {
  try {
    return new TextDecoder(encoding);
  } catch (error) {
    const message = `${path} declares an encoding that is not known: ${encoding}.`;
    throw refusal('xml-encoding', message, { file: path, line: 1 }, { cause: error });
  }
}

function byteOrderMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb ? 'utf-8' : undefined;
}
