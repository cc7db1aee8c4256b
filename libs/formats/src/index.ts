export * from './content-types.ts';
export * from './define-record.ts';
export { jsonpContentType, parseJsonpCallback } from './jsonp.ts';
export * from './select-fields.ts';
export { tableCells, tableColumns } from './table-cells.ts';
export * from './writers.ts';
export * from './xml-document.ts';
