import { describe, expect, it } from 'vitest';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markdownFiles } from '@registrar/testing';
import { anchorsOf, linksOf, readProse, root } from './markdown.ts';

const files = markdownFiles();

/** What is wrong with a link; null when it resolves. */
function problemOf(link: ReturnType<typeof linksOf>[number]): string | null {
  if (!existsSync(join(root, link.file))) return `${link.written}: there is no ${link.file}`;
  if (link.anchor === null) return null;
  return anchorsOf(link.file).has(link.anchor) ? null : `${link.written}: there is no such anchor`;
}

describe('the Markdown files of the repository', () => {
  it('the Markdown files of the repository include the README, the contract and the decision records', () => {
    expect(files).toEqual(
      expect.arrayContaining(['README.md', 'docs/contract/README.md', 'docs/architecture.md']),
    );
  });

  it.each(files)('%s: every relative link and its anchor resolve', (file) => {
    expect(linksOf(file).map(problemOf).filter(Boolean)).toEqual([]);
  });

  it.each(files)('%s: every citation of the contract names an anchor that exists', (file) => {
    const citations = [...readProse(file).matchAll(/(?<![\w/])contract\/([a-z-]+)#([\w-]+)/g)];
    const unknown = citations
      .filter(([, page = '', anchor = '']) => {
        const cited = `docs/contract/${page}.md`;
        return !files.includes(cited) || !anchorsOf(cited).has(anchor);
      })
      .map(([citation]) => citation);
    expect(unknown).toEqual([]);
  });
});

describe('the pages of the contract', () => {
  const pages = files.filter((file) => file.startsWith('docs/contract/'));

  it.each(pages)('%s: every anchor is unique within its page', (page) => {
    const anchors = [...readProse(page).matchAll(/<a id="([\w-]+)">/g)].map(([, id]) => id);
    expect(anchors).toEqual([...new Set(anchors)]);
  });

  it.each(pages)('%s: every example was recorded', (page) => {
    expect(readProse(page)).not.toContain('no step fills');
  });
});
