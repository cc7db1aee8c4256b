import type { Field, Row } from './define-record.ts';
import type { FieldSelection } from './select-fields.ts';

/** Returns a row as JSON text: an object, or the value of its only field. */
export const jsonText = (selection: FieldSelection, row: Row): string =>
  JSON.stringify(jsonItem(selection, row));

/** Returns rows as the elements of a JSON array, with the commas between them. */
export const jsonTexts = (selection: FieldSelection, rows: readonly Row[]): string =>
  JSON.stringify(rows.map((row) => jsonItem(selection, row))).slice(1, -1);

function jsonItem({ fields, plain }: FieldSelection, row: Row): unknown {
  const record = jsonRecord(fields, row);
  return plain ? Object.values(record)[0] : record;
}

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

function jsonValue(field: Field, value: unknown): unknown {
  if (value == null) return null;
  return field.kind === 'record' ? jsonRecord(field.fields, value as Row) : value;
}
