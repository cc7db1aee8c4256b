import { readdirSync, readFileSync } from 'node:fs';

/** The citation of a rule, in the form of docs/contract/README.md. */
export type Rule = `contract/${string}#${string}`;

/** The citation of a rule whose anchor is computed. */
export const ruleOf = (page: string, anchor: string): Rule => `contract/${page}#${anchor}`;

/** A field's name as part of an anchor: `course_guid` is `course-guid`. */
export const kebabCase = (field: string): string => field.replaceAll('_', '-');

/** A rule that a page states. */
interface StatedRule {
  readonly rule: Rule;
  /** Whether it is the product's own decision (docs/contract/README.md, Settled here). */
  readonly isSettled: boolean;
}

/** Marks a rule in its text, and all rules of a section below its heading. */
const settledMark = '*Settled here.*';
const settledSectionMark = '*All settled here.*';

/**
 * The rules of one page, in their order: its anchors, apart from those on the line before a
 * heading, which mark sections.
 */
export const rulesOfPage = (page: string, markdown: string): StatedRule[] =>
  [...markdown.matchAll(/<a id="([\w-]+)"><\/a>(?!\s*\n#)/g)].map(
    ({ 0: tag, 1: anchor = '', index }) => {
      const before = markdown.slice(markdown.lastIndexOf('\n#', index) + 1, index);
      const after = markdown.slice(index + tag.length);
      // A rule ends with its row of a table, or its item of a list.
      const end = after.search(
        /^ *\|/.test(before.split('\n').at(-1) ?? '') ? /\n/ : /\n\s*\n|\n- /,
      );
      const text = end < 0 ? after : after.slice(0, end);
      return {
        rule: ruleOf(page, anchor),
        isSettled: text.includes(settledMark) || before.includes(settledSectionMark),
      };
    },
  );

/** The rules of all pages of docs/contract. */
function readRules(): StatedRule[] {
  const directory = new URL('../../../docs/contract/', import.meta.url);
  return readdirSync(directory)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .flatMap((file) =>
      rulesOfPage(file.slice(0, -'.md'.length), readFileSync(new URL(file, directory), 'utf8')),
    );
}

const statedRules = readRules();

/** Every rule of the contract. */
export const rules: readonly Rule[] = statedRules.map(({ rule }) => rule);

/** The rules that are the product's own decision. */
export const settledRules: ReadonlySet<Rule> = new Set(
  statedRules.filter(({ isSettled }) => isSettled).map(({ rule }) => rule),
);
