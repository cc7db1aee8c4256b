import { pipeline, Readable } from 'node:stream';
import { format as csvFormatter, writeToString } from 'fast-csv';
import { csvCells, csvColumns, csvOptions } from './csv-record.ts';
import type { Row } from './define-record.ts';
import { jsonText } from './json-record.ts';
import { jsonpText, wrapJsonp } from './jsonp.ts';
import type { FieldSelection } from './select-fields.ts';
import { writeXml, xmlDeclaration } from './xml-document.ts';
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
      return csvList(selection, pages);
  }
}

/** Writes a list of one page as text: what {@link writeList} streams. */
export async function writeWholeList(
  selection: FieldSelection,
  rows: readonly Row[],
  callback: string | null,
): Promise<string> {
  const { format, collection, fields } = selection;
  switch (format) {
    case 'json': {
      const json = `[${jsonRows(selection, rows)}]`;
      return callback === null ? json : jsonpText(callback, json);
    }
    case 'xml':
      return xmlStart(collection) + xmlRows(selection, rows) + xmlEnd(collection);
    case 'csv': {
      const cells = rows.map((row) => csvCells(fields, row));
      return writeToString(cells, csvOptions(csvColumns(fields)));
    }
  }
}

const jsonRows = (selection: FieldSelection, rows: readonly Row[]): string =>
  rows.map((row) => jsonText(selection, row)).join(',');

async function* jsonList(selection: FieldSelection, pages: AsyncIterable<readonly Row[]>) {
  let before = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield before + jsonRows(selection, page);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

const xmlStart = (collection: string) => `${xmlDeclaration}<${collection} type="array">`;
const xmlEnd = (collection: string) => `</${collection}>`;
const xmlRows = ({ element, fields }: FieldSelection, rows: readonly Row[]): string =>
  rows.length === 0 ? '' : writeXml(...rows.map((row) => xmlRecord(element, fields, row)));

async function* xmlList(selection: FieldSelection, pages: AsyncIterable<readonly Row[]>) {
  yield xmlStart(selection.collection);
  for await (const page of pages) {
    if (page.length > 0) yield xmlRows(selection, page);
  }
  yield xmlEnd(selection.collection);
}

function csvList({ fields }: FieldSelection, pages: AsyncIterable<readonly Row[]>): Readable {
  async function* cells() {
    for await (const page of pages) for (const row of page) yield csvCells(fields, row);
  }
  const formatter = csvFormatter(csvOptions(csvColumns(fields)));
  // A failing page reaches the reader as the formatter's own error.
  return pipeline(Readable.from(cells()), formatter, (error) => {
    if (error) formatter.destroy(error);
  });
}
