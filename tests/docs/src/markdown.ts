import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

const skipped = new Set(['node_modules', 'dist', 'var', 'coverage', '.git', '.nx']);

/** The Markdown files of the repository, relative to its root. */
export function markdownFiles(directory = root): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith('.md') ? [relative(root, path)] : [];
  });
}

/** A Markdown file without its code, in which links and anchors mean nothing. */
export const readProse = (file: string): string =>
  readFileSync(join(root, file), 'utf8')
    .replaceAll(/^( *)```.*\n[^]*?^\1```$/gm, '')
    .replaceAll(/^ {4,}\S.*$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (code) => code.replaceAll(/[^`]/g, 'x'));

/** The explicit anchors of a page, and those that GitHub gives to its headings. */
export function anchorsOf(file: string): Set<string> {
  const text = readFileSync(join(root, file), 'utf8');
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
