import type { Field, Row } from './define-record.ts';

/**
 * Returns the column names of a record; a nested field is named `outer.inner`
 * (contract/formats#csv-nested).
 */
export const csvColumns = (fields: readonly Field[], prefix = ''): string[] =>
  fields.flatMap((field) =>
    field.kind === 'record'
      ? csvColumns(field.fields, `${prefix}${field.name}.`)
      : [prefix + field.name],
  );

/** Returns the cells of a row, in the order of the columns. */
export const csvCells = (fields: readonly Field[], row: Row | null): string[] =>
  fields.flatMap((field) => {
    const value = row?.[field.property] ?? null;
    return field.kind === 'record'
      ? csvCells(field.fields, value as Row | null)
      : [toCell(field, value)];
  });

/** Start of a text that a spreadsheet would run as a formula (contract/formats#csv-formulas). */
const formulaStart = /^[=+\-@\t\r]/;

function toCell({ kind }: Field, value: unknown): string {
  if (value == null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isText = kind === 'text' || kind === 'json' || kind === 'array';
  return isText && formulaStart.test(text) ? `'${text}` : text;
}

/**
 * Options for fast-csv: RFC 4180 with a header. The cells of a single column are quoted, so that an
 * empty cell differs from the end of the file.
 */
export const csvOptions = (columns: string[]) => ({
  headers: columns,
  alwaysWriteHeaders: true,
  rowDelimiter: '\r\n',
  includeEndRowDelimiter: true,
  quoteColumns: columns.length === 1,
});
