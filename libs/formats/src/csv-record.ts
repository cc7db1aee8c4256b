import type { Field, Row } from './define-record.ts';
import { jsonValue } from './json-record.ts';

/**
 * Returns the column names of a record; a nested field is named `outer.inner`
 * (contract/formats#csv-nested).
 */
const csvColumns = (fields: readonly Field[], prefix = ''): string[] =>
  fields.flatMap((field) =>
    field.kind === 'record'
      ? csvColumns(field.fields, `${prefix}${field.name}.`)
      : [prefix + field.name],
  );

/** Returns the line of the column names. */
export const csvHeader = (fields: readonly Field[]): string =>
  csvLine(csvColumns(fields).map(quotedIfNeeded));

/** Returns the lines of rows, whose cells are in the order of the columns. */
export const csvRows = (fields: readonly Field[], rows: readonly Row[]): string =>
  rows
    .map((row) => {
      const cells: string[] = [];
      addCells(cells, fields, row);
      return csvLine(cells);
    })
    .join('');

/** The only cell of a line is quoted, so that an empty cell differs from the end of the file. */
function csvLine(cells: readonly string[]): string {
  const [only = ''] = cells;
  const line = cells.length === 1 && !only.startsWith('"') ? `"${only}"` : cells.join(',');
  return `${line}\r\n`;
}

function addCells(cells: string[], fields: readonly Field[], row: Row | null): void {
  for (const field of fields) {
    const value = row?.[field.property] ?? null;
    if (field.kind === 'record') addCells(cells, field.fields, value as Row | null);
    else cells.push(toCell(field, jsonValue(field, value)));
  }
}

/** What is quoted, or may hold a formula, has one of these anywhere, or at its start. Most texts have neither. */
const unusual = /[",;\t\r\n]|^[\s\u200b\u2060]*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function toCell({ kind }: Field, value: unknown): string {
  if (value == null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!unusual.test(text)) return text;
  const isText = kind === 'text' || kind === 'json' || kind === 'array' || kind === 'records';
  return quotedIfNeeded(isText ? withoutFormulas(text) : text);
}

/** Returns a cell as RFC 4180 writes it (contract/formats#csv-quoting). */
const quotedIfNeeded = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

/**
 * The places in a text at which a spreadsheet could read a formula (contract/formats#csv-formulas):
 * its start, and behind what begins a cell or a row where the separator is another one than a comma,
 * because quotes inside of such a cell protect nothing. Matches each run of white space once, so that
 * the time is proportional to the text.
 */
const cellStarts = /(?:^|[;\t\r\n])[;\s"\u200b\u2060]*([=+\-@\uff1d\uff0b\uff0d\uff20])?/g;

function withoutFormulas(text: string): string {
  const harmless = text.replace(cellStarts, (start, formula?: string) =>
    formula === undefined ? start : `${start.slice(0, -1)}'${formula}`,
  );
  return /^[\t\r]/.test(harmless) ? `'${harmless}` : harmless;
}
