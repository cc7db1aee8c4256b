import type { Field, Row } from './define-record.ts';
import { tableCells, tableColumns } from './table-cells.ts';

/** Returns the line of the column names. */
export const csvHeader = (fields: readonly Field[]): string =>
  csvLine(tableColumns(fields).map(({ name }) => quotedIfNeeded(name)));

/** Returns the lines of rows, whose cells are in the order of the columns. */
export const csvRows = (fields: readonly Field[], rows: readonly Row[]): string =>
  rows.map((row) => csvLine(tableCells(fields, row, toCell))).join('');

/** The only cell of a line is quoted, so that an empty cell differs from the end of the file. */
function csvLine(cells: readonly string[]): string {
  const [only = ''] = cells;
  const line = cells.length === 1 && !only.startsWith('"') ? `"${only}"` : cells.join(',');
  return `${line}\r\n`;
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
