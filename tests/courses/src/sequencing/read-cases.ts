import { readFile } from 'node:fs/promises';
import type { Activity, Element, SequencingCase, Visit } from './sequencing-case.ts';

/** The groups of cases. Each has a file, in the notation that the README describes. */
const caseGroups = ['API', 'CM', 'CO', 'CT', 'DDM', 'MS', 'OB', 'RU', 'SX', 'T'] as const;

/** Reads all cases. */
export async function readCases(): Promise<SequencingCase[]> {
  const texts = caseGroups.map((group) =>
    readFile(new URL(`cases/${group}.txt`, import.meta.url), 'utf8'),
  );
  return (await Promise.all(texts)).flatMap((text) => text.trim().split(/\n\n+/).map(readCase));
}

function readCase(text: string): SequencingCase {
  const [id = '', ...lines] = text.split('\n');
  const wordsAfter = (beginning: string) =>
    lines.find((line) => line.startsWith(beginning))?.slice(beginning.length);
  const courseLine = `course${wordsAfter('course') ?? ''}`;
  const [, settings = '', elements = ''] = /^course(?: \[(.*?)\])?(.*)$/.exec(courseLine) ?? [];
  const course = {
    id: 'course',
    isGroup: true,
    isAsset: false,
    isHidden: false,
    elements: readElements(elements),
    children: [],
  };
  const start = wordsAfter('start ') ?? null;
  const after = wordsAfter('after ') ?? null;
  readItems(
    course,
    lines.filter((line) => line.startsWith(' ')),
  );
  const visits = lines.filter((line) => line.startsWith('> ')).map(readVisit);
  return { id, after, settings: readAttributes(settings), course, start, visits };
}

/** Adds the items, whose indentation says how deep they are. */
function readItems(course: Activity, lines: readonly string[]): void {
  const path: Activity[] = [course];
  for (const line of lines) {
    const [, indent = '', id = '', marks = '', elements = ''] =
      /^( +)(\w+)([+~*]*)(.*)$/.exec(line) ?? [];
    const depth = indent.length / 2;
    const activity = {
      id,
      isGroup: marks.includes('+'),
      isAsset: marks.includes('*'),
      isHidden: marks.includes('~'),
      elements: readElements(elements),
      children: [],
    };
    path[depth - 1]?.children.push(activity);
    path[depth] = activity;
  }
}

/** Reads elements: `(name attribute=value "text" (child))`. */
function readElements(text: string): Element[] {
  const tokens = text.match(/\(|\)|"[^"]*"|[^\s()"]+/g) ?? [];
  const read = (): Element[] => {
    const elements: Element[] = [];
    while (tokens[0] === '(') {
      tokens.shift();
      const name = tokens.shift() ?? '';
      const words: string[] = [];
      while (tokens[0] !== undefined && !/^[()]$/.test(tokens[0])) words.push(tokens.shift() ?? '');
      const children = read();
      tokens.shift();
      const isText = (word: string) => word.startsWith('"');
      elements.push({
        name,
        attributes: readAttributes(words.filter((word) => !isText(word)).join(' ')),
        text: words.find(isText)?.slice(1, -1) ?? '',
        children,
      });
    }
    return elements;
  };
  return read();
}

const readAttributes = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(' ')
      .filter(Boolean)
      .map((word) => word.split('=') as [string, string]),
  );

/** Reads a visit: `> activity | what the player shows | calls -> request => acts`, of which parts may be absent. */
function readVisit(line: string): Visit {
  const [before = '', acts = ''] = line.slice('> '.length).split(' => ');
  const [calls = '', ending = null] = before.split(' -> ');
  const [, request = null, lastRequest = null] =
    /^(.*?)(?: ?\.\.\. ?(.*))?$/.exec(ending ?? '') ?? [];
  const [activity = '', ...parts] = calls.split(' | ');
  const isShown = (part: string) =>
    /^(?:not )?(?:continue|previous|contents|choice|entry)\b/.test(part);
  const listOf = (part: string | undefined, separator: string) => part?.split(separator) ?? [];
  return {
    activity: activity.trim(),
    shown: listOf(parts.find(isShown), ', '),
    steps: listOf(
      parts.find((part) => !isShown(part)),
      ' ; ',
    ),
    request: request || null,
    lastRequest,
    acts: acts.match(/choice \w+|End course|\w+/g) ?? [],
  };
}
