import type { Field, FieldKind, Row } from './define-record.ts';
import { type XmlElement, xmlElement } from './xml-document.ts';

/** Values of the `type` attribute (contract/formats#xml-types); text and JSON have none. */
const typeAttributes: Partial<Record<FieldKind, string>> = {
  integer: 'integer',
  float: 'float',
  boolean: 'boolean',
  datetime: 'datetime',
  array: 'array',
};

/** Writes a record as an element with one child element per field. */
export const xmlRecord = (name: string, fields: readonly Field[], row: Row): XmlElement =>
  xmlElement(
    name,
    {},
    fields.map((field) => xmlField(field, row[field.property])),
  );

function xmlField(field: Field, value: unknown): XmlElement {
  const name = field.element;
  const type = typeAttributes[field.kind];
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
        items.map((each) => xmlElement(item, {}, toText(each))),
      );
    }
    case 'text':
    case 'integer':
    case 'float':
    case 'boolean':
    case 'datetime':
    case 'json':
      return xmlElement(name, typed, toText(value));
  }
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
