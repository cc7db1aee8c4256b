import { readPage } from '@registrar/testing';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A Markdown file without its code, in which links and anchors mean nothing. */
export const readProse = (file: string): string =>
  readPage(file)
    .replaceAll(/^( *)```.*\n[^]*?^\1```$/gm, '')
    .replaceAll(/^ {4,}\S.*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[^`]/g, 'x'));

/** The explicit anchors of a page, and those that GitHub gives to its headings. */
export function anchorsOf(file: string): Set<string> {
  const text = readPage(file);
  const explicit = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, anchor = '']) => anchor);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
  return new Set([...explicit, ...headings]);
}

/** The relative links of a page: as written, the file that each names, and its anchor if any. */
export const linksOf = (file: string) =>
  [...readProse(file).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, path = '', anchor]) => ({
      written: `${path}${anchor ? `#${anchor}` : ''}`,
      file: path === '' ? file : join(dirname(file), path),
      anchor: anchor ?? null,
    }),
  );
