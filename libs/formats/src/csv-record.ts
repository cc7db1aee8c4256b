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
export function csvCells(fields: readonly Field[], row: Row | null): string[] {
  const cells: string[] = [];
  addCells(cells, fields, row);
  return cells;
}

function addCells(cells: string[], fields: readonly Field[], row: Row | null): void {
  for (const field of fields) {
    const value = row?.[field.property] ?? null;
    if (field.kind === 'record') addCells(cells, field.fields, value as Row | null);
    else cells.push(toCell(field, value));
  }
}

/**
 * The places in a text at which a spreadsheet could read a formula (contract/formats#csv-formulas):
 * its start, and behind what begins a cell or a row where the separator is another one than a comma,
 * because quotes inside of such a cell protect nothing. Matches each run of white space once, so that
 * the time is proportional to the text.
 */
const cellStarts = /(?:^|[;\t\r\n])[;\s"\u200b\u2060]*([=+\-@\uff1d\uff0b\uff0d\uff20])?/g;

/** What a text needs to have anywhere, or at its start, for {@link cellStarts} to find a formula. Most have neither. */
const separators = /[;\t\r\n]/;
const formulaStart = /^[\s"\u200b\u2060]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function withoutFormulas(text: string): string {
  if (!separators.test(text) && !formulaStart.test(text)) return text;
  const harmless = text.replace(cellStarts, (start, formula?: string) =>
    formula === undefined ? start : `${start.slice(0, -1)}'${formula}`,
  );
  return /^[\t\r]/.test(harmless) ? `'${harmless}` : harmless;
}

function toCell({ kind }: Field, value: unknown): string {
  if (value == null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const isText = kind === 'text' || kind === 'json' || kind === 'array';
  return isText ? withoutFormulas(text) : text;
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
