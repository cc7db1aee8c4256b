/**
 * How a value fills its place: as it is; as a map whose values become strings; as the name of a store's image; left out
 * while it is empty; as further entries of a map; or as the items of a list.
 */
export type Form =
  | 'value'
  | 'strings'
  | 'image'
  | 'optional'
  | 'optional-strings'
  | 'entries'
  | 'items';

/** The word that stands in an object for values, until templates are written. */
export const wordOf = (form: Form, value: string | readonly string[]): string =>
  `chart-${form}:${[value].flat().join(',')}`;

/** Expressions in values count too. JSON is YAML on one line, of whatever type. */
const json = (expression: string): string => `tpl (toJson ${expression}) $`;
const strings = (expression: string): string => `tpl (include "registrar.strings" ${expression}) $`;

const scalars: Readonly<Record<string, (expression: string) => string>> = {
  value: json,
  strings,
  image: (expression) => `include "registrar.storeImage" ${expression} | toJson`,
};

const lines: Readonly<Record<string, (indent: string, key: string, value: string) => string[]>> = {
  optional: (indent, key, value) => [
    `{{- with ${value} }}`,
    `${indent}${key}{{ ${json('.')} }}`,
    '{{- end }}',
  ],
  'optional-strings': (indent, key, value) => [
    `{{- with ${value} }}`,
    `${indent}${key}{{ ${strings('.')} }}`,
    '{{- end }}',
  ],
  entries: (indent, _key, value) => [
    `{{- range $name, $value := ${value} }}`,
    `${indent}{{ toJson $name }}: {{ tpl (include "registrar.string" $value) $ | toJson }}`,
    '{{- end }}',
  ],
  items: (indent, _key, value) => [
    `{{- range ${value} }}`,
    `${indent}- {{ ${json('.')} }}`,
    '{{- end }}',
  ],
};

const wordOnLine =
  /^( *)(.*?)"?chart-(optional-strings|optional|entries|items):([\w.,]+)"?(: null)?$/;

/**
 * Replaces the words in the lines of a template by expressions. A `chart-settings:A,B` becomes the checksum of these
 * settings.
 */
export const withValues = (template: readonly string[]): string[] =>
  template.flatMap((line) => {
    const [, indent = '', key = '', form = '', names = ''] = wordOnLine.exec(line) ?? [];
    if (form) return lines[form]!(indent, key, expressionOf(names));
    return line
      .replaceAll(
        /"?chart-(value|strings|image):([\w.]+)"?/g,
        (_word, scalar: string, name: string) => `{{ ${scalars[scalar]!(expressionOf(name))} }}`,
      )
      .replaceAll(/"?chart-settings:([\w,]+)"?/g, (_word, list: string) => {
        const settings = list.split(',').map((name) => `(${strings(`$.Values.settings.${name}`)})`);
        return `"{{ print ${settings.join(' ')} | sha256sum }}"`;
      });
  });

/** The first of these values that is not empty. */
function expressionOf(names: string): string {
  const values = names.split(',').map((name) => `$.Values.${name}`);
  return values.length === 1 ? values[0]! : `(coalesce ${values.join(' ')})`;
}
