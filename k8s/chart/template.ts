import { structuredPatch } from 'diff';
import { Document, Scalar, visit } from 'yaml';
import type { Manifest } from '../checks/manifests.ts';
import { withValues } from './parameters.ts';
import { hasPlaceholder, withExpressions } from './placeholders.ts';

/** What a choice makes of an object; undefined where the object is missing then. */
export interface Variant {
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
    variants.flatMap(({ condition, manifest }) =>
      manifest ? [{ condition, lines: linesOf(manifest) }] : [],
    ),
  ).join('\n');
  if (conditions.length === 0) return `${lines}\n`;
  const condition = usual ? `not ${anyOf(conditions)}` : anyOf(conditions);
  return `{{- if ${condition} }}\n${lines}\n{{- end }}\n`;
}

const anyOf = (conditions: readonly string[]): string =>
  conditions.length === 1 ? conditions[0]! : `(or ${conditions.join(' ')})`;

/** Adds the lines of the variants that differ, each below its condition. */
function withDifferences(
  usual: readonly string[],
  variants: readonly { readonly condition: string; readonly lines: readonly string[] }[],
): string[] {
  const differences = variants.flatMap(({ condition, lines }) =>
    structuredPatch('', '', usual.join('\n'), lines.join('\n'), '', '', {
      context: 0,
    }).hunks.map((hunk) => ({
      condition,
      start: hunk.oldStart - 1,
      end: hunk.oldStart - 1 + hunk.oldLines,
      lines: hunk.lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1)),
    })),
  );
  const same = Object.values(
    Object.groupBy(differences, ({ start, end, lines }) => JSON.stringify([start, end, lines])),
  ).map((group) => ({ ...group![0]!, conditions: group!.map(({ condition }) => condition) }));
  // From the last to the first, so that the numbers of the other lines stay as they are.
  same.sort((one, other) => other.start - one.start);
  return same.reduce(
    (result, { start, end, lines, conditions }, index) => {
      const following = same[index - 1];
      if (following && (end > following.start || start === following.start))
        throw new Error(
          `${anyOf(conditions)} and ${anyOf(following.conditions)} change the same lines`,
        );
      const changed =
        lines.length === 0
          ? [`{{- if not ${anyOf(conditions)} }}`, ...usual.slice(start, end)]
          : [
              `{{- if ${anyOf(conditions)} }}`,
              ...lines,
              ...(end > start ? ['{{- else }}', ...usual.slice(start, end)] : []),
            ];
      return result.toSpliced(start, end - start, ...changed, '{{- end }}');
    },
    [...usual],
  );
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
  return withValues(withExpressions(text.replaceAll('{{', '{{ "{{" }}'))).split('\n');
}
