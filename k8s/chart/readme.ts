import { isDeepStrictEqual } from 'node:util';
import { Document, isPair, isScalar, visit } from 'yaml';
import { descriptionOf } from './descriptions.ts';
import type { Schema } from './schema.ts';

/** Returns the file of the default values, each below its description; those of several apps have one. */
export function valuesOf(values: object): string {
  const document = new Document(values);
  const seen = new Set<string>();
  visit(document, {
    Pair: (_key, pair, path) => {
      const name = [...path.filter(isPair), pair].map(({ key }) => String(key)).join('.');
      const description = descriptionOf(name);
      if (description === undefined || seen.has(description) || !isScalar(pair.key)) return;
      seen.add(description);
      pair.key.commentBefore = ` ${description}`;
    },
  });
  return document.toString({ lineWidth: 0 });
}

/** Returns the README of the chart, from the schema of its values. */
export function readmeOf(schema: Schema): string {
  const rows = rowsOf(schema, '').map(
    ({ name, value }) => `| \`${name}\` | ${value.description} | ${defaultOf(value)} |`,
  );
  return `# Registrar

An HTTP API in front of an e-learning course-delivery server. The page docs/kubernetes.md of the repository describes what
a cluster needs and how to install the chart, in its part *Helm*. The folder \`platforms\` has a file of values for each of
several platforms.

\`\`\`sh
helm upgrade --install registrar . --namespace registrar --values my-values.yaml
helm test registrar --namespace registrar
\`\`\`

## Values

A misspelt value is an error. Expressions such as \`{{ .Release.Namespace }}\` work in values.

| value | | default |
|---|---|---|
${rows.join('\n')}
`;
}

/** A row of the table: one value, or that of all apps or accounts. */
interface Row {
  readonly name: string;
  readonly value: Schema;
}

function rowsOf({ properties = {} }: Schema, prefix: string): Row[] {
  const several = /^(apps|serviceAccounts|settings)\.$/.test(prefix);
  const rows = Object.entries(properties).flatMap(([name, value]): Row[] => {
    const path = prefix + (several ? '*' : name);
    return value.description ? [{ name: path, value }] : rowsOf(value, `${path}.`);
  });
  if (!several) return rows;
  return Object.entries(Object.groupBy(rows, ({ name }) => name)).map(([name, same]) => ({
    name,
    value: same!.every(({ value }) => isDeepStrictEqual(value, same![0]!.value))
      ? same![0]!.value
      : { ...same![0]!.value, default: undefined },
  }));
}

/** The text of a default; a long one is in `values.yaml`. */
function defaultOf({ default: value, enum: others = [] }: Schema): string {
  const text = JSON.stringify(value);
  if (text === undefined || (text.length > 60 && typeof value === 'object')) return 'values.yaml';
  const rest = (others as unknown[]).filter((other) => other !== value);
  const code = (each: unknown) =>
    `\`${typeof each === 'string' && each ? each : JSON.stringify(each)}\``;
  return `${code(value)}${rest.length > 0 ? `, or ${rest.map(code).join(', ')}` : ''}`;
}
