import { structuredPatch } from 'diff';
import { Document, Scalar, visit } from 'yaml';
import type { Manifest } from '../checks/manifests.ts';
import { hasPlaceholder, withExpressions } from './placeholders.ts';
import { withValues } from './words.ts';

/** What a choice makes of an object; undefined where the object is missing then. */
export interface Variant {
  /** The value that has this choice, as one of several. */
  readonly of: string;
  readonly condition: string;
  readonly manifest: Manifest | undefined;
}

/**
 * Returns the template of an object.
 *
 * @param usual the object without any choice, if it exists then
 * @throws Error when two choices change the same lines differently
 */
export function templateOf(usual: Manifest | undefined, variants: readonly Variant[]): string {
  const differing = variants.filter(({ manifest }) => !manifest === Boolean(usual));
  const conditions = differing.map(({ condition }) => condition);
  const present = usual ?? differing[0]!.manifest!;
  const lines = withDifferences(
    linesOf(present),
    variants.flatMap(({ of, condition, manifest }) =>
      manifest ? [{ choice: { of, condition }, lines: linesOf(manifest) }] : [],
    ),
  );
  const text = withValues(lines).join('\n');
  if (conditions.length === 0) return `${text}\n`;
  const condition = usual ? `not ${anyOf(conditions)}` : anyOf(conditions);
  return `{{- if ${condition} }}\n${text}\n{{- end }}\n`;
}

const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : `(or ${conditions.join(' ')})`;

/** Lines of the usual object that a choice replaces. */
interface Difference {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly choice: Choice;
}

type Choice = Omit<Variant, 'manifest'>;

/** Adds the lines of the variants that differ, each below its condition. */
function withDifferences(
  usual: readonly string[],
  variants: readonly { readonly choice: Choice; readonly lines: readonly string[] }[],
): string[] {
  const differences = variants
    .flatMap(({ choice, lines }) =>
      structuredPatch('', '', usual.join('\n'), lines.join('\n'), '', '', {
        context: 0,
      }).hunks.map((hunk) => ({
        choice,
        start: hunk.oldStart - 1,
        end: hunk.oldStart - 1 + hunk.oldLines,
        lines: hunk.lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
      })),
    )
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
  const places: Difference[][] = [];
  for (const each of differences) {
    const last = places.at(-1);
    const end = Math.max(...(last ?? []).map((other) => other.end));
    if (last && (each.start < end || each.start === last[0]!.start)) last.push(each);
    else places.push([each]);
  }
  // From the last to the first, so that the numbers of the other lines stay as they are.
  return places.reduceRight((result, place) => {
    const start = place[0]!.start;
    const end = Math.max(...place.map((each) => each.end));
    return result.toSpliced(start, end - start, ...alternatives(usual, start, end, place));
  }, usual.slice());
}

/**
 * Returns the lines from `start` to `end` of each choice below its condition.
 *
 * @throws Error when two choices that an installation can have at once change them differently
 */
function alternatives(
  usual: readonly string[],
  start: number,
  end: number,
  place: readonly Difference[],
): string[] {
  const ofChoices = Object.values(
    Object.groupBy(place, ({ choice }) => choice.condition),
  ) as Difference[][];
  const texts = Object.values(
    Object.groupBy(
      ofChoices.map((ones) => ({
        choice: ones[0]!.choice,
        lines: ones.reduceRight<readonly string[]>(
          (lines, each) =>
            lines.toSpliced(each.start - start, each.end - each.start, ...each.lines),
          usual.slice(start, end),
        ),
      })),
      ({ lines }) => JSON.stringify(lines),
    ),
  ) as { choice: Choice; lines: readonly string[] }[][];
  if (texts.length > 1 && new Set(place.map(({ choice }) => choice.of)).size > 1)
    throw new Error(
      `${place.map(({ choice }) => choice.condition).join(' and ')} change the same lines`,
    );
  const conditions = texts.map((ones) => anyOf(ones.map(({ choice }) => choice.condition)));
  const otherwise = usual.slice(start, end);
  if (texts.length === 1 && texts[0]![0]!.lines.length === 0)
    return [`{{- if not ${conditions[0]} }}`, ...otherwise, '{{- end }}'];
  return [
    ...texts.flatMap(([first], index) => [
      `{{- ${index === 0 ? '' : 'else '}if ${conditions[index]} }}`,
      ...first!.lines,
    ]),
    ...(otherwise.length > 0 ? ['{{- else }}', ...otherwise] : []),
    '{{- end }}',
  ];
}

function linesOf(manifest: Manifest): string[] {
  // Helm reads YAML 1.1, in which `off` without quotes is false.
  const document = new Document(manifest, { version: '1.1', aliasDuplicateObjects: false });
  // A name that an expression inserts is a string, even when it has digits alone.
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && hasPlaceholder(scalar.value))
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  const text = document.toString({ lineWidth: 0 }).trimEnd();
  return withExpressions(text.replaceAll('{{', '{{ "{{" }}')).split('\n');
}
