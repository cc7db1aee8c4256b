import { Failure } from '#libs/contracts';
import type { Format } from './content-types.ts';
import type { Field, RecordDescription } from './describe-record.ts';

/** What of a record is written, and under which names. */
export interface Selection {
  readonly element: string;
  readonly collection: string;
  readonly format: Format;
  readonly fields: readonly Field[];
}

/** The whole record in one format. */
export const allFields = (description: RecordDescription, format: Format): Selection => ({
  element: description.element,
  collection: description.collection,
  format,
  fields: description.fields[format],
});

/**
 * The fields that `names` (the value of the parameter `fields`) asks for, in the record's own
 * order. Names are written with underscores or hyphens, those of nested fields with a dot
 * (decision 17); a field that XML names differently answers to both of its names.
 *
 * @throws {Failure} `invalid` for a name that the record does not have
 */
export function selectFields(
  description: RecordDescription,
  format: Format,
  names: string,
): Selection {
  const selection = allFields(description, format);
  const asked = names.split(',').map((name) => name.trim().replaceAll('-', '_'));
  const known = new Map<string, string>();
  for (const field of selection.fields) learn(known, field, '');
  for (const field of Object.values(description.fields).flat()) {
    const shown = selection.fields.find(({ from }) => from === field.from);
    if (shown && !known.has(field.name)) known.set(field.name, shown.name);
  }
  const paths = new Set(
    asked.map((name) => {
      const path = known.get(name);
      if (path === undefined) {
        throw new Failure('invalid', `fields names ${JSON.stringify(name)}, which there is not`);
      }
      return path;
    }),
  );
  return { ...selection, fields: pick(selection.fields, paths, '') };
}

function learn(known: Map<string, string>, field: Field, prefix: string): void {
  const path = prefix + field.name;
  known.set(path, path);
  for (const inner of field.fields) learn(known, inner, `${path}.`);
}

const pick = (fields: readonly Field[], paths: ReadonlySet<string>, prefix: string): Field[] =>
  fields.flatMap((field) => {
    const path = prefix + field.name;
    if (paths.has(path)) return [field];
    const inner = pick(field.fields, paths, `${path}.`);
    return inner.length > 0 ? [{ ...field, fields: inner }] : [];
  });
