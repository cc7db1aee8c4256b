import type { Field, Row } from './describe-record.ts';

/** The chosen part of a row, as JSON shows it. */
export const jsonRecord = (fields: readonly Field[], row: Row): Row =>
  Object.fromEntries(fields.map((field) => [field.name, jsonValue(field, row[field.from])]));

function jsonValue(field: Field, value: unknown): unknown {
  if (value == null) return null;
  return field.kind === 'record' ? jsonRecord(field.fields, value as Row) : value;
}
