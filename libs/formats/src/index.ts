export * from './content-types.ts';
export * from './define-record.ts';
export { jsonpContentType, parseJsonpCallback } from './jsonp.ts';
export * from './select-fields.ts';
export * from './write-list.ts';
export * from './write-record.ts';
export * from './xml-document.ts';
