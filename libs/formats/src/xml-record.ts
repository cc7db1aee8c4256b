import type { Element } from 'xml-js';
import type { Field, FieldKind, Row } from './describe-record.ts';
import { xmlElement } from './xml-document.ts';

/** The `type` attribute of a field's element (decision 8); texts and JSON texts have none. */
const types: Partial<Record<FieldKind, string>> = {
  integer: 'integer',
  float: 'float',
  boolean: 'boolean',
  datetime: 'datetime',
  array: 'array',
};

/** Hyphens for underscores; the columns of a query may have names that no element can have. */
const xmlName = (name: string) =>
  name
    .replaceAll('_', '-')
    .replace(/[^\p{L}\p{N}.-]/gu, '-')
    .replace(/^(?!\p{L})/u, 'column-');

/** A record as an element: one element per field, hyphens for underscores. */
export const xmlRecord = (name: string, fields: readonly Field[], row: Row): Element =>
  xmlElement(
    name,
    {},
    fields.map((field) => xmlField(field, row[field.from])),
  );

function xmlField(field: Field, value: unknown): Element {
  const name = xmlName(field.name);
  const type = types[field.kind];
  const typed: Record<string, string> = type ? { type } : {};
  if (value == null) return xmlElement(name, { ...typed, nil: 'true' }, []);
  switch (field.kind) {
    case 'record':
      return xmlRecord(name, field.fields, value as Row);
    case 'array': {
      const item = name.replace(/s$/, '');
      const items = value as readonly unknown[];
      return xmlElement(
        name,
        typed,
        items.map((each) => xmlElement(item, {}, textOf(each))),
      );
    }
    case 'text':
    case 'integer':
    case 'float':
    case 'boolean':
    case 'datetime':
    case 'json':
      return xmlElement(name, typed, textOf(value));
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
