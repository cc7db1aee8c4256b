import { Readable } from 'node:stream';
import { csvHeader, csvRows } from './csv-record.ts';
import type { Row } from './define-record.ts';
import { jsonTexts } from './json-record.ts';
import { scriptAround, scriptText } from './jsonp.ts';
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
  return Readable.from(listPieces(partsOf(selection, callback), pages), { objectMode: false });
}

/** Writes a list of one page as text: what {@link writeList} streams. */
export function writeWholeList(
  selection: FieldSelection,
  rows: readonly Row[],
  callback: string | null,
): string {
  const { start, texts, end } = partsOf(selection, callback);
  return start + texts(rows) + end;
}

/** Writes a single record as text; CSV has a header and one row. The callback is that of {@link writeList}. */
export function writeRecord(selection: FieldSelection, row: Row, callback: string | null): string {
  const { recordStart, texts, recordEnd } = partsOf(selection, callback);
  return recordStart + texts([row]) + recordEnd;
}

/** The parts of a response in one format. */
interface TextParts {
  /** Before and after a single record. */
  readonly recordStart: string;
  readonly recordEnd: string;
  /** Before and after a list. */
  readonly start: string;
  readonly end: string;
  /** Between two pages. */
  readonly separator: string;
  /** Returns the rows of a page as text. */
  readonly texts: (rows: readonly Row[]) => string;
}

function partsOf(selection: FieldSelection, callback: string | null): TextParts {
  const { format, collection, element, fields, byteOrderMark } = selection;
  switch (format) {
    case 'json': {
      const script = callback === null ? null : scriptAround(callback);
      const { opening, closing } = script ?? { opening: '', closing: '' };
      return {
        recordStart: opening,
        recordEnd: closing,
        start: `${opening}[`,
        end: `]${closing}`,
        separator: ',',
        texts: (rows) => {
          const json = jsonTexts(selection, rows);
          return script ? scriptText(json) : json;
        },
      };
    }
    case 'xml':
      return {
        recordStart: xmlDeclaration,
        recordEnd: '',
        start: `${xmlDeclaration}<${collection} type="array">`,
        end: `</${collection}>`,
        separator: '',
        texts: (rows) => rows.map((row) => xmlRecord(element, fields, row)).join(''),
      };
    case 'csv': {
      const start = (byteOrderMark ? '\ufeff' : '') + csvHeader(fields);
      const texts = (rows: readonly Row[]) => csvRows(fields, rows);
      return { recordStart: start, recordEnd: '', start, end: '', separator: '', texts };
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
