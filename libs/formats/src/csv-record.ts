import type { Field, Row } from './describe-record.ts';

/** The columns of a record: its fields, those of nested records dotted (decision 7). */
export const csvColumns = (fields: readonly Field[], prefix = ''): string[] =>
  fields.flatMap((field) =>
    field.kind === 'record'
      ? csvColumns(field.fields, `${prefix}${field.name}.`)
      : [prefix + field.name],
  );

/** The cells of a row, in the order of the columns. */
export const csvCells = (fields: readonly Field[], row: Row | null): string[] =>
  fields.flatMap((field) => {
    const value = row?.[field.from] ?? null;
    return field.kind === 'record'
      ? csvCells(field.fields, value as Row | null)
      : [cell(field, value)];
  });

/** What a spreadsheet would take for a formula (decision 7). */
const formula = /^[=+\-@\t\r]/;

function cell({ kind }: Field, value: unknown): string {
  if (value == null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isText = kind === 'text' || kind === 'json' || kind === 'array';
  return isText && formula.test(text) ? `'${text}` : text;
}

/**
 * RFC 4180 with a header, for fast-csv. Cells of a single column are quoted, so that an empty one
 * is told from the end of the file.
 */
export const csvOptions = (columns: string[]) => ({
  headers: columns,
  alwaysWriteHeaders: true,
  rowDelimiter: '\r\n',
  includeEndRowDelimiter: true,
  quoteColumns: columns.length === 1,
});
