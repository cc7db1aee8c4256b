import type { Field, Row } from './define-record.ts';
import type { FieldSelection } from './select-fields.ts';

/** Returns a row as JSON text: an object, or the value of its only field. */
export function jsonText({ fields, plain }: FieldSelection, row: Row): string {
  const record = jsonRecord(fields, row);
  return JSON.stringify(plain ? Object.values(record)[0] : record);
}

/** Returns the selected fields of a row as a JSON object. */
const jsonRecord = (fields: readonly Field[], row: Row): Row =>
  Object.fromEntries(fields.map((field) => [field.name, jsonValue(field, row[field.property])]));

function jsonValue(field: Field, value: unknown): unknown {
  if (value == null) return null;
  return field.kind === 'record' ? jsonRecord(field.fields, value as Row) : value;
}
