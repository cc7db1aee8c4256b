import { isDeepStrictEqual } from 'node:util';
import type { ApiResponse } from './client.ts';

/** A record of a JSON response. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** @throws an error with `reason` unless the condition holds */
export function check(condition: unknown, reason: string): asserts condition {
  if (!condition) throw new Error(reason);
}

export function checkEqual(actual: unknown, expected: unknown, what: string): void {
  check(
    isDeepStrictEqual(actual, expected),
    `${what}: expected ${shown(expected)}, got ${shown(actual)}`,
  );
}

export function checkStatus(response: ApiResponse, status: number): void {
  check(
    response.status === status,
    `${response.request}: expected ${status}, got ${response.status} ${response.text.slice(0, 200)}`,
  );
}

/** The status of an error, with an empty body (contract/errors#empty-body). */
export function checkError(response: ApiResponse, status: number): void {
  checkStatus(response, status);
  check(response.text === '', `${response.request}: the body of ${status} is not empty`);
}

export function checkType(response: ApiResponse, type: string): void {
  check(
    response.type === type,
    `${response.request}: expected Content-Type ${type}, got ${response.type}`,
  );
}

/** The record of a JSON response with this status. */
export function recordOf(response: ApiResponse, status = 200): JsonRecord {
  checkStatus(response, status);
  const value = json(response);
  check(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `${response.request}: not one record`,
  );
  return value as JsonRecord;
}

/** The records of a JSON list. */
export function recordsOf(response: ApiResponse): JsonRecord[] {
  checkStatus(response, 200);
  const value = json(response);
  check(Array.isArray(value), `${response.request}: not a list`);
  return value as JsonRecord[];
}

/** The only record of a JSON list. */
export function onlyRecordOf(response: ApiResponse): JsonRecord {
  const records = recordsOf(response);
  const [record] = records;
  check(
    record && records.length === 1,
    `${response.request}: expected one record, got ${records.length}`,
  );
  return record;
}

/** The values of one field, in the order of the list. */
export const valuesOf = (response: ApiResponse, field: string): unknown[] =>
  recordsOf(response).map((record) => record[field]);

export function textOf(record: JsonRecord, field: string): string {
  const value = record[field];
  check(typeof value === 'string', `${field}: expected a text, got ${shown(value)}`);
  return value;
}

/** Whether a value is ISO 8601 in UTC, without a fraction of a second. */
export const isTimestamp = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);

function json(response: ApiResponse): unknown {
  try {
    return JSON.parse(response.text);
  } catch {
    throw new Error(`${response.request}: the response is no JSON: ${response.text.slice(0, 200)}`);
  }
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
