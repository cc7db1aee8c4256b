import { Readable } from 'node:stream';
import { writeToString } from 'fast-csv';
import { csvCells, csvColumns, csvOptions } from './csv-record.ts';
import type { Row } from './define-record.ts';
import { jsonTexts } from './json-record.ts';
import { jsonpText, wrapJsonp } from './jsonp.ts';
import type { FieldSelection } from './select-fields.ts';
import { xmlDeclaration } from './xml-document.ts';
import { xmlRecord } from './xml-record.ts';

/**
 * Writes a list as a stream of text. A page is requested when the reader has room for it, so memory
 * holds one page whatever the length of the list. When a page fails, the stream fails with its
 * error.
 *
 * @param callback name of the JSONP callback; null for plain JSON; ignored by XML and CSV
 */
export function writeList(
  selection: FieldSelection,
  pages: AsyncIterable<readonly Row[]>,
  callback: string | null,
): Readable {
  switch (selection.format) {
    case 'json': {
      const json = jsonList(selection, pages);
      const text = callback === null ? json : wrapJsonp(callback, json);
      return Readable.from(text, { objectMode: false });
    }
    case 'xml':
      return Readable.from(xmlList(selection, pages), { objectMode: false });
    case 'csv':
      return Readable.from(csvList(selection, pages), { objectMode: false });
  }
}

/** Writes a list of one page as text: what {@link writeList} streams. */
export async function writeWholeList(
  selection: FieldSelection,
  rows: readonly Row[],
  callback: string | null,
): Promise<string> {
  const { format, collection } = selection;
  switch (format) {
    case 'json': {
      const json = `[${jsonTexts(selection, rows)}]`;
      return callback === null ? json : jsonpText(callback, json);
    }
    case 'xml':
      return xmlStart(collection) + xmlRows(selection, rows) + xmlEnd(collection);
    case 'csv':
      return csvRows(selection, rows, true);
  }
}

async function* jsonList(selection: FieldSelection, pages: AsyncIterable<readonly Row[]>) {
  let before = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + jsonTexts(selection, page);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

const xmlStart = (collection: string) => `${xmlDeclaration}<${collection} type="array">`;
const xmlEnd = (collection: string) => `</${collection}>`;
const xmlRows = ({ element, fields }: FieldSelection, rows: readonly Row[]): string =>
  rows.map((row) => xmlRecord(element, fields, row)).join('');

async function* xmlList(selection: FieldSelection, pages: AsyncIterable<readonly Row[]>) {
  yield xmlStart(selection.collection);
  for await (const page of pages) {
    if (page.length > 0) yield xmlRows(selection, page);
  }
  yield xmlEnd(selection.collection);
}

async function* csvList(selection: FieldSelection, pages: AsyncIterable<readonly Row[]>) {
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield await csvRows(selection, page, isFirst);
    isFirst = false;
  }
  if (isFirst) yield await csvRows(selection, [], true);
}

function csvRows(
  { fields }: FieldSelection,
  rows: readonly Row[],
  withHeader: boolean,
): Promise<string> {
  const cells = rows.map((row) => csvCells(fields, row));
  return writeToString(cells, { ...csvOptions(csvColumns(fields)), writeHeaders: withHeader });
}
