import type { Field, FieldKind, Row } from './define-record.ts';
import { type XmlElement, xmlElement } from './xml-document.ts';

/** The kinds without an attribute `type`, whose value is the kind (contract/formats#xml-types). */
const untyped: readonly FieldKind[] = ['text', 'json', 'record'];

/** Writes a record as an element with one child element per field. */
export const xmlRecord = (name: string, fields: readonly Field[], row: Row): XmlElement =>
  xmlElement(
    name,
    {},
    fields.map((field) => xmlField(field, row[field.property])),
  );

function xmlField({ element, kind, fields }: Field, value: unknown): XmlElement {
  const type = kind === 'records' ? 'array' : kind;
  const typed: Record<string, string> = untyped.includes(kind) ? {} : { type };
  if (value == null) return xmlElement(element, { ...typed, nil: 'true' }, []);
  if (kind === 'record') return xmlRecord(element, fields, value as Row);
  const item = element.replace(/s$/, '');
  if (kind === 'records') {
    const records = (value as readonly Row[]).map((each) => xmlRecord(item, fields, each));
    return xmlElement(element, typed, records);
  }
  if (kind !== 'array') return xmlElement(element, typed, toText(value));
  const items = (value as readonly unknown[]).map((each) => xmlElement(item, {}, toText(each)));
  return xmlElement(element, typed, items);
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
