import { readdirSync, readFileSync } from 'node:fs';

/** The citation of a rule, in the form of docs/contract/README.md. */
export type Rule = `contract/${string}#${string}`;

/** The citation of a rule whose anchor is computed. */
export const ruleOf = (page: string, anchor: string): Rule => `contract/${page}#${anchor}`;

/** A field's name as part of an anchor: `course_guid` is `course-guid`. */
export const kebabCase = (field: string): string => field.replaceAll('_', '-');

/**
 * The rules of one page, in their order: its anchors, apart from those on the line before a
 * heading, which mark sections.
 */
export const rulesOfPage = (page: string, markdown: string): Rule[] =>
  [...markdown.matchAll(/<a id="([\w-]+)"><\/a>(?!\s*\n#)/g)].map(([, anchor = '']) =>
    ruleOf(page, anchor),
  );

/** The rules of all pages of docs/contract. */
function readRules(): Rule[] {
  const directory = new URL('../../../docs/contract/', import.meta.url);
  return readdirSync(directory)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .flatMap((file) =>
      rulesOfPage(file.slice(0, -'.md'.length), readFileSync(new URL(file, directory), 'utf8')),
    );
}

/** Every rule of the contract. */
export const rules: readonly Rule[] = readRules();
