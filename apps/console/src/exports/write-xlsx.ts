import {
  type Field,
  type FieldSelection,
  type Row,
  tableCells,
  tableColumns,
} from '@registrar/formats';
import { type CellValue, writeXlsxStream } from 'hucre/xlsx';
import { Readable } from 'node:stream';

export const xlsxContentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The longest text of a cell (Excel's specifications and limits): characters. */
const maxCellLength = 32_767;

const timeFormat = { numFmt: 'yyyy-mm-dd hh:mm:ss', width: 20 } as const;

/**
 * Writes a list as a workbook of one sheet, with the columns that the list has in CSV. A page is requested when the reader
 * has room for it. Times are UTC. A text is a text, whatever it begins with, and never a formula; one that is longer than
 * a cell may be is cut off.
 *
 * @param selection what CSV would contain
 */
export function writeXlsx(
  { fields }: FieldSelection,
  pages: AsyncIterable<readonly Row[]>,
): Readable {
  const columns = tableColumns(fields).map(({ name, kind }) => ({
    header: name,
    ...(kind === 'datetime' && timeFormat),
  }));
  const options = { name: 'Registrar', columns, freezePane: { rows: 1 } };
  return Readable.fromWeb(writeXlsxStream(rowsOf(fields, pages), options));
}

async function* rowsOf(
  fields: readonly Field[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<CellValue[]> {
  for await (const page of pages) {
    for (const row of page) yield tableCells(fields, row, toCell);
  }
}

function toCell({ kind }: Field, value: unknown): CellValue {
  if (value == null || typeof value === 'number' || typeof value === 'boolean') {
    return value ?? null;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return kind === 'datetime' ? new Date(text) : text.slice(0, maxCellLength);
}
