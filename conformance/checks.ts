import { isDeepStrictEqual } from 'node:util';
import type { Answer } from './client.ts';

/** A record as JSON shows it. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** @throws with that reason unless the condition holds */
export function check(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new Error(reason);
}

export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  check(
    isDeepStrictEqual(actual, expected),
    `${what}: expected ${shown(expected)}, got ${shown(actual)}`,
  );
}

export function checkStatus(answer: Answer, status: number): void {
  check(
    answer.status === status,
    `${answer.request}: expected ${status}, got ${answer.status} ${answer.text.slice(0, 200)}`,
  );
}

/** The status with an empty body (api-v2.md, Errors). */
export function checkRefused(answer: Answer, status: number): void {
  checkStatus(answer, status);
  check(answer.text === '', `${answer.request}: the body of ${status} is not empty`);
}

export function checkType(answer: Answer, type: string): void {
  check(
    answer.type === type,
    `${answer.request}: expected Content-Type ${type}, got ${answer.type}`,
  );
}

/** The record of a JSON answer with that status. */
export function recordOf(answer: Answer, status = 200): JsonRecord {
  checkStatus(answer, status);
  const value = json(answer);
  check(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${answer.request}: not one record`,
  );
  return value as JsonRecord;
}

/** The records of a JSON list. */
export function recordsOf(answer: Answer): JsonRecord[] {
  checkStatus(answer, 200);
  const value = json(answer);
  check(Array.isArray(value), `${answer.request}: not a list`);
  return value as JsonRecord[];
}

/** The only record of a JSON list. */
export function onlyRecordOf(answer: Answer): JsonRecord {
  const records = recordsOf(answer);
  const [record] = records;
  check(
    record && records.length === 1,
    `${answer.request}: expected one record, got ${records.length}`,
  );
  return record;
}

/** The values of one field, in the order of the list. */
export const valuesOf = (answer: Answer, field: string): unknown[] =>
  recordsOf(answer).map((record) => record[field]);

export function textOf(record: JsonRecord, field: string): string {
  const value = record[field];
  check(typeof value === 'string', `${field}: expected a text, got ${shown(value)}`);
  return value;
}

/** ISO 8601, UTC, without a fraction of a second. */
export const isTimestamp = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);

function json(answer: Answer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new Error(`${answer.request}: the answer is no JSON: ${answer.text.slice(0, 200)}`);
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
