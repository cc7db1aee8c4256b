import { Failure, shownName } from '@registrar/contracts';
import type { Format } from './content-types.ts';
import type { Field, RecordDefinition } from './define-record.ts';

/** The fields of a record that a response contains, in one format. */
export interface FieldSelection extends Pick<RecordDefinition, 'element' | 'collection' | 'plain'> {
  readonly format: Format;
  readonly fields: readonly Field[];
  /** Whether CSV begins with a byte order mark (contract/formats#csv-bom). */
  readonly byteOrderMark?: boolean;
}

/** A record, which its usual selection is made of. */
type UnselectedRecord = Omit<RecordDefinition, 'usual'>;

/** Selects every field of a record. */
export const selectAllFields = (
  { element, collection, plain, fields }: UnselectedRecord,
  format: Format,
): FieldSelection => ({ element, collection, plain, format, fields: fields[format] });

/**
 * Selects the fields that the parameter `fields` names, in the record's own order. A name is
 * written with underscores or hyphens, a nested field with a dot
 * (contract/parameters#fields-names). A field with another name in XML can be selected by either
 * name.
 *
 * Of a positional record, a number selects that many columns (contract/stored-queries#former-fields).
 *
 * @throws {Failure} `invalid` for a name that the record does not have
 */
export function selectFields(
  record: UnselectedRecord,
  format: Format,
  names: string,
): FieldSelection {
  const all = selectAllFields(record, format);
  if (record.positional && /^\d+$/.test(names)) return selectColumns(record, all, Number(names));
  const selection = { ...all, fields: [...all.fields, ...record.unlistedFields] };
  const requested = names
    .split(',')
    .map((name) => name.trim().replaceAll('-', '_'))
    .filter((name) => !record.ignoredNames.includes(name));
  const pathsByName = new Map<string, string>();
  for (const field of selection.fields) addFieldPaths(pathsByName, field, '');
  for (const field of Object.values(record.fields).flat()) {
    const shown = selection.fields.find(({ property }) => property === field.property);
    if (shown && !pathsByName.has(field.name)) pathsByName.set(field.name, shown.name);
  }
  const paths = new Set(
    requested.map((name) => {
      const path = pathsByName.get(name);
      if (path === undefined) {
        const reason = `fields contains the unknown name ${JSON.stringify(shownName(name))}`;
        throw new Failure('invalid', reason, undefined, { parameter: 'fields' });
      }
      return path;
    }),
  );
  return { ...selection, fields: pickFields(selection.fields, paths, '') };
}

function selectColumns(record: UnselectedRecord, all: FieldSelection, count: number) {
  const columns = new Set(record.fields.csv.slice(0, count).map(({ property }) => property));
  return { ...all, fields: all.fields.filter(({ property }) => columns.has(property)) };
}

function addFieldPaths(pathsByName: Map<string, string>, field: Field, prefix: string): void {
  const path = prefix + field.name;
  pathsByName.set(path, path);
  for (const inner of field.fields) addFieldPaths(pathsByName, inner, `${path}.`);
}

const pickFields = (
  fields: readonly Field[],
  paths: ReadonlySet<string>,
  prefix: string,
): Field[] =>
  fields.flatMap((field) => {
    const path = prefix + field.name;
    if (paths.has(path)) return [field];
    const inner = pickFields(field.fields, paths, `${path}.`);
    return inner.length > 0 ? [{ ...field, fields: inner }] : [];
  });
