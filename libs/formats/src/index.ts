export * from './content-types.ts';
export * from './describe-record.ts';
export { jsonpContentType, parseCallback } from './jsonp.ts';
export * from './select-fields.ts';
export * from './write-list.ts';
export * from './write-record.ts';
export * from './xml-document.ts';
