import type { Field, Row } from './define-record.ts';

/** Returns the selected fields of a row as a JSON object. */
export const jsonRecord = (fields: readonly Field[], row: Row): Row =>
  Object.fromEntries(fields.map((field) => [field.name, jsonValue(field, row[field.property])]));

function jsonValue(field: Field, value: unknown): unknown {
  if (value == null) return null;
  return field.kind === 'record' ? jsonRecord(field.fields, value as Row) : value;
}
