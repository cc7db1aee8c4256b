import type { Field, Row } from './define-record.ts';
import type { FieldSelection } from './select-fields.ts';

/**
 * Returns rows as the elements of a JSON array, with the commas between them: objects, or the values of
 * their only field.
 */
export const jsonTexts = ({ fields, plain }: FieldSelection, rows: readonly Row[]): string =>
  JSON.stringify(
    rows.map((row) => {
      const record = jsonRecord(fields, row);
      return plain ? Object.values(record)[0] : record;
    }),
  ).slice(1, -1);

/** Returns the selected fields of a row as a JSON object. */
function jsonRecord(fields: readonly Field[], row: Row): Row {
  const record: Record<string, unknown> = {};
  for (const field of fields) {
    const value = jsonValue(field, row[field.property]);
    // A column of a stored query can have this name, which would set the prototype.
    if (field.name === '__proto__')
      Object.defineProperty(record, field.name, { value, enumerable: true });
    else record[field.name] = value;
  }
  return record;
}

/** Returns the value of a field in JSON. */
export function jsonValue(field: Field, value: unknown): unknown {
  if (value == null) return null;
  if (field.kind === 'record') return jsonRecord(field.fields, value as Row);
  if (field.kind !== 'records') return value;
  return (value as readonly Row[]).map((each) => jsonRecord(field.fields, each));
}
