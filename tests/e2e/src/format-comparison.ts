import { expect } from 'vitest';
import { eventually } from '@registrar/testing';
import type { ApiResponse } from '@registrar/conformance';
import { parseCsv, parseXml, type XmlElement } from '@registrar/conformance';
import type { JsonRecord } from '@registrar/conformance';

export type Format = 'json' | 'xml' | 'csv';

/**
 * The differences between the formats of one record, beyond those of every record
 * (contract/formats#xml, contract/formats#csv).
 */
export interface FormatDifferences {
  /** Fields that hold any JSON value: XML and CSV show texts unchanged and other values as JSON. */
  readonly jsonFields?: readonly string[];
  /** Fields that hold a nested record, with the differences of that record. */
  readonly nested?: Readonly<Record<string, FormatDifferences>>;
  /** The JSON field that each XML element shows; null for an element that only XML has. */
  readonly xml?: Readonly<Record<string, string | null>>;
  /** Fields whose values differ between two responses to the same request. */
  readonly changing?: readonly string[];
}

/**
 * Sends one request in each format until the records did not change in between, compares XML and
 * CSV with JSON, and returns the JSON records.
 */
export async function consistentRecords(
  send: (format: Format) => Promise<ApiResponse>,
  forms: FormatDifferences = {},
): Promise<JsonRecord[]> {
  let before = await send('json');
  return eventually('two JSON responses around XML and CSV are equal', async () => {
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
      const rows = parseCsv(csv.text).map((row) => withoutChanging(row, forms));
      expect(rows).toEqual(
        records.map((record, index) => ({
          ...emptyNestedCells(record, rows[index] ?? {}, forms),
          ...expectedCsv(record, forms),
        })),
      );
      return records;
    }
    before = after;
    return undefined;
  });
}

function withoutChanging(
  record: JsonRecord,
  { changing = [], nested = {} }: FormatDifferences,
): JsonRecord {
  const hidden = Object.entries(nested).flatMap(([name, forms]) =>
    (forms.changing ?? []).map((field) => `${name}.${field}`),
  );
  const kept = Object.entries(record)
    .filter(([name]) => !changing.includes(name) && !hidden.includes(name))
    .map(([name, value]): [string, unknown] => {
      const forms = nested[name];
      return [name, forms && value ? withoutChanging(value as JsonRecord, forms) : value];
    });
  return Object.fromEntries(kept);
}

function recordsIn(answer: ApiResponse, forms: FormatDifferences): JsonRecord[] {
  if (answer.status >= 300) throw new Error(`${answer.request} answered ${answer.status}`);
  const value = JSON.parse(answer.text) as JsonRecord | JsonRecord[];
  return [value].flat().map((record) => withoutChanging(record, forms));
}

/** A parsed element: its type, and its text, its items or its fields. */
type XmlValue = readonly [type: string | undefined, content: unknown];

const nil = 'nil';

/** Returns the elements by JSON field, without those that only XML has. */
function xmlOf(element: XmlElement, forms: FormatDifferences): Record<string, XmlValue> {
  const { xml, changing = [] } = forms;
  const names = element.children.map(({ name }) => name);
  if (xml) expect(names).toEqual(Object.keys(xml));
  const fields = element.children.flatMap((child): [string, XmlValue][] => {
    const field = xml ? xml[child.name] : child.name.replaceAll('-', '_');
    if (field == null || changing.includes(field)) return [];
    return [[field, xmlValueOf(child, field, forms)]];
  });
  expect(new Set(names).size).toBe(names.length);
  return Object.fromEntries(fields);
}

function xmlValueOf(child: XmlElement, field: string, forms: FormatDifferences): XmlValue {
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

function expectedXml(record: JsonRecord, forms: FormatDifferences): Record<string, XmlValue> {
  const shown = Object.values(forms.xml ?? {});
  const fields = Object.entries(record).filter(([name]) => !forms.xml || shown.includes(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, expectedXmlValue(name, value, forms)]),
  );
}

function expectedXmlValue(name: string, value: unknown, forms: FormatDifferences): XmlValue {
  if (value === null) return [undefined, nil];
  const nested = forms.nested?.[name];
  if (nested) return [undefined, expectedXml(value as JsonRecord, nested)];
  if (forms.jsonFields?.includes(name))
    return [undefined, withoutForbiddenCharacters(jsonText(value))];
  if (Array.isArray(value))
    return ['array', value.map((item) => withoutForbiddenCharacters(jsonText(item)))];
  if (typeof value === 'boolean') return ['boolean', String(value)];
  if (typeof value === 'number') {
    return [floats.includes(name) ? 'float' : 'integer', JSON.stringify(value)];
  }
  return [
    timestamps.test(name) ? 'datetime' : undefined,
    withoutForbiddenCharacters(jsonText(value)),
  ];
}

const floats = ['score', 'totaltime'];
const timestamps = /_at$/;

const jsonText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Removes the characters that XML 1.0 forbids (contract/formats#xml-characters). */
const withoutForbiddenCharacters = (text: string) =>
  [...text].filter((character) => !isForbidden(character.codePointAt(0) ?? 0)).join('');

const isForbidden = (code: number) =>
  (code < 0x20 && ![0x9, 0xa, 0xd].includes(code)) || code === 0xfffe || code === 0xffff;

function expectedCsv(
  record: JsonRecord,
  forms: FormatDifferences,
  prefix = '',
): Record<string, string> {
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

/** Returns the empty columns of nested records that are null. */
const emptyNestedCells = (
  record: JsonRecord,
  row: JsonRecord,
  { nested = {} }: FormatDifferences,
) =>
  Object.fromEntries(
    Object.keys(nested)
      .filter((name) => record[name] === null)
      .flatMap((name) => Object.keys(row).filter((column) => column.startsWith(`${name}.`)))
      .map((column) => [column, '']),
  );

/**
 * Returns the expected cell: a text that a spreadsheet would read as a formula gets an apostrophe
 * (contract/formats#csv-formulas, contract/formats#csv-formulas-inside).
 */
function expectedCell(name: string, value: unknown, forms: FormatDifferences): string {
  if (value === null) return '';
  const isText = typeof value === 'string' || forms.jsonFields?.includes(name) === true;
  const text = jsonText(value);
  return isText ? escaped(text) : text;
}

function escaped(text: string): string {
  let inside = true;
  const characters = [...text].flatMap((character) => {
    const isFormula = inside && '=+-@＝＋－＠'.includes(character);
    const begins = /[;\t\r\n]/.test(character);
    inside = begins || (inside && /[\s"\u200b\u2060]/.test(character));
    return isFormula ? ["'", character] : [character];
  });
  const [first = ''] = characters;
  return [...('\t\r'.includes(first) && first !== '' ? ["'"] : []), ...characters].join('');
}
