import { expect } from '@jest/globals';
import type { Answer } from '../conformance/client.ts';
import { parseCsv, parseXml, type XmlElement } from '../conformance/readers.ts';
import type { JsonRecord } from '../conformance/checks.ts';

export type Format = 'json' | 'xml' | 'csv';

/** How a record differs between its formats, beside what holds for all (decisions 7 and 8). */
export interface RecordForms {
  /** Fields that hold any JSON value: XML and CSV show them as JSON text, and texts as they are. */
  readonly jsonFields?: readonly string[];
  /** Fields that hold a record of their own, with its forms. */
  readonly nested?: Readonly<Record<string, RecordForms>>;
  /** The XML names, and the JSON field that each shows; null for what only XML has. */
  readonly xml?: Readonly<Record<string, string | null>>;
  /** Fields that another answer to the same request has otherwise. */
  readonly changing?: readonly string[];
}

/**
 * Sends one request in each format until nothing changed in between, and holds XML and CSV to
 * JSON. Answers the JSON records.
 */
export async function agreedRecords(
  send: (format: Format) => Promise<Answer>,
  forms: RecordForms = {},
): Promise<JsonRecord[]> {
  let before = await send('json');
  for (;;) {
    const [xml, csv] = [await send('xml'), await send('csv')];
    const after = await send('json');
    const records = recordsIn(before, forms);
    if (JSON.stringify(records) === JSON.stringify(recordsIn(after, forms))) {
      expect([xml.status, csv.status]).toEqual([before.status, before.status]);
      const root = parseXml(xml.text);
      const elements = root.attributes['type'] === 'array' ? root.children : [root];
      expect(elements.map((element) => xmlOf(element, forms))).toEqual(
        records.map((record) => expectedXml(record, forms)),
      );
      const rows = parseCsv(csv.text).map((row) => without(row, forms));
      expect(rows).toEqual(
        records.map((record, index) => ({
          ...emptyCells(record, rows[index] ?? {}, forms),
          ...expectedCsv(record, forms),
        })),
      );
      return records;
    }
    before = after;
  }
}

function without(record: JsonRecord, { changing = [], nested = {} }: RecordForms): JsonRecord {
  const hidden = Object.entries(nested).flatMap(([name, forms]) =>
    (forms.changing ?? []).map((field) => `${name}.${field}`),
  );
  const kept = Object.entries(record)
    .filter(([name]) => !changing.includes(name) && !hidden.includes(name))
    .map(([name, value]): [string, unknown] => {
      const forms = nested[name];
      return [name, forms && value ? without(value as JsonRecord, forms) : value];
    });
  return Object.fromEntries(kept);
}

function recordsIn(answer: Answer, forms: RecordForms): JsonRecord[] {
  if (answer.status >= 300) throw new Error(`${answer.request} answered ${answer.status}`);
  const value = JSON.parse(answer.text) as JsonRecord | JsonRecord[];
  return [value].flat().map((record) => without(record, forms));
}

/** An element as it was read: its type, and its text, its items or its fields. */
type XmlForm = readonly [type: string | undefined, content: unknown];

const nil = 'nil';

/** By field; what XML alone has is left out. */
function xmlOf(element: XmlElement, forms: RecordForms): Record<string, XmlForm> {
  const { xml, changing = [] } = forms;
  const names = element.children.map(({ name }) => name);
  if (xml) expect(names).toEqual(Object.keys(xml));
  const fields = element.children.flatMap((child): [string, XmlForm][] => {
    const field = xml ? xml[child.name] : child.name.replaceAll('-', '_');
    if (field == null || changing.includes(field)) return [];
    return [[field, formOf(child, field, forms)]];
  });
  expect(new Set(names).size).toBe(names.length);
  return Object.fromEntries(fields);
}

function formOf(child: XmlElement, field: string, forms: RecordForms): XmlForm {
  const { type } = child.attributes;
  if (child.attributes['nil'] === 'true') {
    expect([child.text, child.children]).toEqual(['', []]);
    return [undefined, nil];
  }
  const nested = forms.nested?.[field];
  if (nested) return [type, xmlOf(child, nested)];
  if (type === 'array') return [type, child.children.map(({ text }) => text)];
  expect(child.children).toEqual([]);
  return [type, child.text];
}

function expectedXml(record: JsonRecord, forms: RecordForms): Record<string, XmlForm> {
  const shown = Object.values(forms.xml ?? {});
  const fields = Object.entries(record).filter(([name]) => !forms.xml || shown.includes(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, expectedForm(name, value, forms)]),
  );
}

function expectedForm(name: string, value: unknown, forms: RecordForms): XmlForm {
  if (value === null) return [undefined, nil];
  const nested = forms.nested?.[name];
  if (nested) return [undefined, expectedXml(value as JsonRecord, nested)];
  if (forms.jsonFields?.includes(name)) return [undefined, held(jsonText(value))];
  if (Array.isArray(value)) return ['array', value.map((item) => held(jsonText(item)))];
  if (typeof value === 'boolean') return ['boolean', String(value)];
  if (typeof value === 'number') {
    return [floats.includes(name) ? 'float' : 'integer', JSON.stringify(value)];
  }
  return [timestamps.test(name) ? 'datetime' : undefined, held(jsonText(value))];
}

const floats = ['score', 'totaltime'];
const timestamps = /_at$/;

const jsonText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** What XML 1.0 cannot hold is dropped (decision 8). */
const held = (text: string) =>
  [...text].filter((character) => !isForbidden(character.codePointAt(0) ?? 0)).join('');

const isForbidden = (code: number) =>
  (code < 0x20 && ![0x9, 0xa, 0xd].includes(code)) || code === 0xfffe || code === 0xffff;

function expectedCsv(record: JsonRecord, forms: RecordForms, prefix = ''): Record<string, string> {
  const cells = Object.entries(record).flatMap(([name, value]): [string, string][] => {
    const nested = forms.nested?.[name];
    if (nested) {
      if (value === null) return [];
      return Object.entries(expectedCsv(value as JsonRecord, nested, `${prefix}${name}.`));
    }
    return [[prefix + name, expectedCell(name, value, forms)]];
  });
  return Object.fromEntries(cells);
}

/** The columns of nested records that are not there. */
const emptyCells = (record: JsonRecord, row: JsonRecord, { nested = {} }: RecordForms) =>
  Object.fromEntries(
    Object.keys(nested)
      .filter((name) => record[name] === null)
      .flatMap((name) => Object.keys(row).filter((column) => column.startsWith(`${name}.`)))
      .map((column) => [column, '']),
  );

/** A text that a spreadsheet would take for a formula gets an apostrophe (decision 7). */
function expectedCell(name: string, value: unknown, forms: RecordForms): string {
  if (value === null) return '';
  const isText = typeof value === 'string' || forms.jsonFields?.includes(name) === true;
  const text = jsonText(value);
  return isText && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
