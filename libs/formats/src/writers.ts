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
  const list = listPieces(partsOf(selection), pages);
  const isScript = callback !== null && selection.format === 'json';
  return Readable.from(isScript ? wrapJsonp(callback, list) : list, { objectMode: false });
}

/** Writes a list of one page as text: what {@link writeList} streams. */
export function writeWholeList(
  selection: FieldSelection,
  rows: readonly Row[],
  callback: string | null,
): string {
  const { start, texts, end } = partsOf(selection);
  return scriptOr(selection, start + texts(rows) + end, callback);
}

/** Writes a single record as text; CSV has a header and one row. The callback is that of {@link writeList}. */
export function writeRecord(selection: FieldSelection, row: Row, callback: string | null): string {
  const { recordStart, texts } = partsOf(selection);
  return scriptOr(selection, recordStart + texts([row]), callback);
}

const scriptOr = ({ format }: FieldSelection, text: string, callback: string | null) =>
  callback !== null && format === 'json' ? jsonpText(callback, text) : text;

/** The parts of a response in one format. */
interface TextParts {
  /** Before a single record. */
  readonly recordStart: string;
  /** Before a list. */
  readonly start: string;
  /** Between two pages. */
  readonly separator: string;
  readonly end: string;
  /** Returns the rows of a page as text. */
  readonly texts: (rows: readonly Row[]) => string;
}

function partsOf(selection: FieldSelection): TextParts {
  const { format, collection, element, fields } = selection;
  switch (format) {
    case 'json': {
      const texts = (rows: readonly Row[]) => jsonTexts(selection, rows);
      return { recordStart: '', start: '[', separator: ',', end: ']', texts };
    }
    case 'xml':
      return {
        recordStart: xmlDeclaration,
        start: `${xmlDeclaration}<${collection} type="array">`,
        separator: '',
        end: `</${collection}>`,
        texts: (rows) => rows.map((row) => xmlRecord(element, fields, row)).join(''),
      };
    case 'csv': {
      const start = csvHeader(fields);
      const texts = (rows: readonly Row[]) => csvRows(fields, rows);
      return { recordStart: start, start, separator: '', end: '', texts };
    }
  }
}

async function* listPieces(
  { start, separator, end, texts }: TextParts,
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
