import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const generated = new Set(['node_modules', 'dist', 'var', 'coverage', '.git', '.nx']);

/** A code block of a page. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** The heading of its section. */
  readonly section: string;
  /** The name of the `<!-- example -->` mark above it; null if it has none. */
  readonly example: string | null;
  /** The response that the page shows directly below; null if it shows none. */
  readonly response: string | null;
}

/** Returns the Markdown files of the repository, as paths from its root. */
export function markdownFiles(directory = root): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return generated.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith('.md') ? [relative(root, path)] : [];
  });
}

/** Reads a page, named by its path from the root of the repository. */
export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

const fence = /(?:<!-- example: ([\w-]+) -->\n\n)?^( *)```(.*)\n([^]*?)^\2```$/gm;

/** Returns the fenced code blocks of a page, in order, without the indentation of lists. */
export function codeBlocksOf(page: string): CodeBlock[] {
  const content = readPage(page);
  const prose = content.replaceAll(fence, (block) => ' '.repeat(block.length));
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)];
  const matches = [...content.matchAll(fence)];
  const blocks = matches.map((match, place) => {
    const { index } = match;
    const [whole, example, indentation = '', language = '', text = ''] = match;
    return {
      example: example ?? null,
      language,
      text: text.replaceAll(new RegExp(`^${indentation}`, 'gm'), '').trimEnd(),
      section: headings.findLast((heading) => heading.index < index)?.[1] ?? '',
      // A blank line alone is between them.
      meetsNext: index + whole.length + 2 === matches[place + 1]?.index,
    };
  });
  return blocks.map(({ meetsNext, ...block }, place) => {
    const next = meetsNext ? blocks[place + 1] : undefined;
    const response = next && responseLanguages.has(next.language) ? next.text : null;
    return { ...block, response };
  });
}

const responseLanguages = new Set(['json', 'csv', 'xml']);

/** Returns the code in the sentences and tables of a page, each on one line. */
export const inlineCodeOf = (page: string): string[] =>
  [
    ...readPage(page)
      .replaceAll(fence, '')
      .matchAll(/`([^`]+)`/g),
  ].map(([, code = '']) => code.replaceAll(/\s+/g, ' '));
