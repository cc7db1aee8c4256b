import { Readable } from 'node:stream';
import { csvHeader, csvRows } from './csv-record.ts';
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
  const list = listPieces(listParts(selection), pages);
  const isScript = callback !== null && selection.format === 'json';
  return Readable.from(isScript ? wrapJsonp(callback, list) : list, { objectMode: false });
}

/** Writes a list of one page as text: what {@link writeList} streams. */
export function writeWholeList(
  selection: FieldSelection,
  rows: readonly Row[],
  callback: string | null,
): string {
  const { start, texts, end } = listParts(selection);
  const list = start + texts(rows) + end;
  return callback !== null && selection.format === 'json' ? jsonpText(callback, list) : list;
}

/** The parts of a list in one format. */
interface ListParts {
  readonly start: string;
  /** Between two pages. */
  readonly separator: string;
  readonly end: string;
  /** Returns the rows of a page as text. */
  readonly texts: (rows: readonly Row[]) => string;
}

function listParts(selection: FieldSelection): ListParts {
  const { format, collection, element, fields } = selection;
  switch (format) {
    case 'json':
      return {
        start: '[',
        separator: ',',
        end: ']',
        texts: (rows) => jsonTexts(selection, rows),
      };
    case 'xml':
      return {
        start: `${xmlDeclaration}<${collection} type="array">`,
        separator: '',
        end: `</${collection}>`,
        texts: (rows) => rows.map((row) => xmlRecord(element, fields, row)).join(''),
      };
    case 'csv':
      return {
        start: csvHeader(fields),
        separator: '',
        end: '',
        texts: (rows) => csvRows(fields, rows),
      };
  }
}

async function* listPieces(
  { start, separator, end, texts }: ListParts,
  pages: AsyncIterable<readonly Row[]>,
) {
  let isFirst = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield (isFirst ? start : separator) + texts(page);
    isFirst = false;
  }
  yield isFirst ? start + end : end;
}
