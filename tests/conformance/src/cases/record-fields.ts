import { check, isTimestamp, type JsonRecord } from '../checks.ts';
import { type ConformanceCase, conformanceCase } from '../conformance-case.ts';
import { kebabCase, ruleOf } from '../contract.ts';
import type { Installation } from '../installation.ts';

/** Whether a value has the type that the contract states for a field. */
export type FieldRule = (value: unknown) => boolean;

export const integer: FieldRule = (value) => Number.isInteger(value);
export const id: FieldRule = (value) => Number.isInteger(value) && Number(value) > 0;
export const number: FieldRule = (value) => typeof value === 'number';
export const text: FieldRule = (value) => typeof value === 'string';
export const flag: FieldRule = (value) => typeof value === 'boolean';
export const timestamp: FieldRule = isTimestamp;
export const texts: FieldRule = (value) => Array.isArray(value) && value.every(text);
export const nothing: FieldRule = (value) => value === null;
export const anything: FieldRule = (value) => value !== undefined;
export const orNull =
  (rule: FieldRule): FieldRule =>
  (value) =>
    value === null || rule(value);
export const oneOf =
  (...values: string[]): FieldRule =>
  (value) =>
    values.includes(String(value));

/**
 * A case for each field of a record, and one that finds missing and further fields.
 *
 * @param page the page of docs/contract whose table of fields is checked
 * @param read the record
 */
export function fieldCases(
  title: string,
  page: string,
  fields: Readonly<Record<string, FieldRule>>,
  read: (target: Installation) => Promise<JsonRecord>,
): ConformanceCase[] {
  const fieldRule = (name: string) => ruleOf(page, `record-${kebabCase(name)}`);
  const each = Object.entries(fields).map(([name, matches]) =>
    conformanceCase(`${title}: ${name}`, [fieldRule(name)], async (target) => {
      const value = (await read(target))[name];
      check(matches(value), `${name} is ${JSON.stringify(value)}`);
    }),
  );
  const known = Object.keys(fields);
  const all = conformanceCase(
    `${title}: has these fields and no others`,
    known.map(fieldRule),
    async (target) => {
      const names = Object.keys(await read(target));
      const unknown = names.filter((name) => !known.includes(name));
      const missing = known.filter((name) => !names.includes(name));
      check(unknown.length === 0, `unknown fields: ${unknown.join(', ')}`);
      check(missing.length === 0, `missing fields: ${missing.join(', ')}`);
    },
  );
  return [...each, all];
}
