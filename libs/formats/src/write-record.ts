import { writeToString } from 'fast-csv';
import { csvCells, csvColumns, csvOptions } from './csv-record.ts';
import type { Row } from './describe-record.ts';
import { jsonRecord } from './json-record.ts';
import { jsonpText } from './jsonp.ts';
import type { Selection } from './select-fields.ts';
import { writeXml, xmlDeclaration } from './xml-document.ts';
import { xmlRecord } from './xml-record.ts';

/**
 * A single record as text; in CSV with a header, as a list of one.
 *
 * @param callback the function that a JSONP answer calls; JSON alone
 */
export async function writeRecord(
  { element, fields, format }: Selection,
  row: Row,
  callback: string | null,
): Promise<string> {
  switch (format) {
    case 'json': {
      const json = JSON.stringify(jsonRecord(fields, row));
      return callback === null ? json : jsonpText(callback, json);
    }
    case 'xml':
      return xmlDeclaration + writeXml(xmlRecord(element, fields, row));
    case 'csv':
      return writeToString([csvCells(fields, row)], csvOptions(csvColumns(fields)));
  }
}
