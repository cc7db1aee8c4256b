import * as z from 'zod';

/** How much a finding matters; an `error` keeps the package from being imported. */
export const findingSeverities = ['error', 'warning', 'info'] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** The most findings of one package: the last of them then says how many more there are. */
export const maxPackageFindings = 101;

/** The most characters of each text of a finding. */
export const findingTextLength = 1024;

/** What a check or an import has found in a course package (docs/course-check.md). */
export const packageFinding = z.object({
  severity: z.enum(findingSeverities),
  file: z
    .string()
    .max(findingTextLength)
    .nullable()
    .describe('The path of the file in the package; null for the whole package.'),
  line: z.int().nullable().describe('The line in the file, from 1; null if no line is meant.'),
  rule: z.string().max(100).describe('The stable identifier of the rule.'),
  message: z.string().max(findingTextLength).describe('What is wrong: text for people.'),
  remedy: z.string().max(findingTextLength).describe('What to do: text for people.'),
});
export type PackageFinding = z.infer<typeof packageFinding>;

/** The findings of one package, errors first. */
export const packageFindings = z.array(packageFinding).max(maxPackageFindings);
