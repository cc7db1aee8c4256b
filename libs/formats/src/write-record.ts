import { csvHeader, csvRows } from './csv-record.ts';
import type { Row } from './define-record.ts';
import { jsonText } from './json-record.ts';
import { jsonpText } from './jsonp.ts';
import type { FieldSelection } from './select-fields.ts';
import { xmlDeclaration } from './xml-document.ts';
import { xmlRecord } from './xml-record.ts';

/**
 * Writes a single record as text; CSV has a header and one row.
 *
 * @param callback name of the JSONP callback; null for plain JSON; ignored by XML and CSV
 */
export function writeRecord(selection: FieldSelection, row: Row, callback: string | null): string {
  const { element, fields, format } = selection;
  switch (format) {
    case 'json': {
      const json = jsonText(selection, row);
      return callback === null ? json : jsonpText(callback, json);
    }
    case 'xml':
      return xmlDeclaration + xmlRecord(element, fields, row);
    case 'csv':
      return csvHeader(fields) + csvRows(fields, [row]);
  }
}
