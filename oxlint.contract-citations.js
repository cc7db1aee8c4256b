import { readdirSync, readFileSync } from 'node:fs';
import { URL } from 'node:url';

/** The pages of the contract, each with its anchors (docs/contract/README.md, Citations). */
function readAnchors(directory) {
  const pages = readdirSync(directory).filter((file) => /^[a-z-]+\.md$/.test(file));
  return new Map(
    pages.map((file) => {
      const text = readFileSync(new URL(file, directory), 'utf8');
      const anchors = [...text.matchAll(/<a id="([\w-]+)">/g)].map(([, anchor]) => anchor);
      return [file.slice(0, -'.md'.length), new Set(anchors)];
    }),
  );
}

const contractDirectory = new URL('./docs/contract/', import.meta.url);

/** Reports every match of `pattern` in comments and code for which `problemOf` returns data. */
function reportMatches(context, pattern, problemOf) {
  const { sourceCode } = context;
  for (const match of sourceCode.text.matchAll(pattern)) {
    const problem = problemOf(match);
    if (!problem) continue;
    const end = match.index + match[0].length;
    const loc = {
      start: sourceCode.getLocFromIndex(match.index),
      end: sourceCode.getLocFromIndex(end),
    };
    context.report({ loc, ...problem });
  }
}

/** Reports citations of the contract that name a page or an anchor that does not exist. */
export const contractCitations = {
  meta: {
    type: 'problem',
    docs: { description: 'require citations of docs/contract to resolve' },
    schema: [],
    messages: {
      form: 'Cite a rule of docs/contract as contract/<page>#<anchor>, without ".md" and "docs/".',
      page: 'docs/contract has no page {{page}}.md.',
      anchor: 'docs/contract/{{page}}.md has no anchor "{{anchor}}".',
    },
  },
  create(context) {
    if (!context.sourceCode.text.includes('contract/')) return {};
    const pages = readAnchors(contractDirectory);
    return {
      Program() {
        reportMatches(
          context,
          /(docs\/)?\bcontract\/([a-z-]+)(\.md)?#([\w-]*)/g,
          ([, docs, page, suffix, anchor]) => {
            if (docs || suffix) return { messageId: 'form' };
            const anchors = pages.get(page);
            if (!anchors) return { messageId: 'page', data: { page } };
            return anchors.has(anchor)
              ? undefined
              : { messageId: 'anchor', data: { page, anchor } };
          },
        );
      },
    };
  },
};

/** Reports citations of the documents that docs/contract was made from: they are not in the repository. */
export const formerCitations = {
  meta: {
    type: 'problem',
    docs: { description: 'disallow citations of documents outside of the repository' },
    schema: [],
    messages: {
      former: '"{{text}}" does not resolve. Cite a rule as contract/<page>#<anchor>.',
    },
  },
  create(context) {
    return {
      Program() {
        reportMatches(context, /\bapi-v2(\.md|:)|\bdecisions?,? \d+/gi, ([text]) => ({
          messageId: 'former',
          data: { text },
        }));
      },
    };
  },
};
