import { check, isTimestamp, type JsonRecord } from '../checks.ts';
import { type ConformanceCase, trial } from '../conformance-case.ts';
import type { Paragraph } from '../contract.ts';
import type { Installation } from '../installation.ts';

/** Whether a value is what the contract says of a field. */
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
 * One case for each row of a field table, and one that finds no further field.
 *
 * @param section the section of api-v2.md; its rows are the names of the fields
 * @param more fields that a decision adds to the record
 */
export function fieldCases(
  section: string,
  rules: Readonly<Record<string, FieldRule>>,
  record: (on: Installation) => Promise<JsonRecord>,
  more: readonly string[] = [],
): ConformanceCase[] {
  const rows = Object.entries(rules).map(([name, rule]) =>
    trial(`${section}: ${name}`, [`api-v2: ${section}, ${name}` as Paragraph], async (on) => {
      const value = (await record(on))[name];
      check(rule(value), `${name} is ${JSON.stringify(value)}`);
    }),
  );
  const known = [...Object.keys(rules), ...more];
  const every = Object.keys(rules).map((name) => `api-v2: ${section}, ${name}` as Paragraph);
  const only = trial(`${section}: these fields and no others`, every, async (on) => {
    const names = Object.keys(await record(on));
    const strange = names.filter((name) => !known.includes(name));
    const missing = known.filter((name) => !names.includes(name));
    check(strange.length === 0, `there is also ${strange.join(', ')}`);
    check(missing.length === 0, `there is no ${missing.join(', ')}`);
  });
  return [...rows, only];
}
