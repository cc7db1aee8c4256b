import { describe, expect, it } from 'vitest';
import { columnKind, parseValue } from './query-columns.ts';

/** OIDs of PostgreSQL's types (pg_type.dat). */
const oid = {
  bool: 16,
  int8: 20,
  int4: 23,
  text: 25,
  json: 114,
  float8: 701,
  textArray: 1009,
  int4Array: 1007,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  timestamptzArray: 1185,
  interval: 1186,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
};

describe('a column of a query', () => {
  it.each([
    [oid.bool, 'boolean', 't', true],
    [oid.bool, 'boolean', 'f', false],
    [oid.int4, 'integer', '-7', -7],
    [oid.int8, 'integer', '9007199254740991', 9007199254740991],
    [oid.numeric, 'float', '12.50', 12.5],
    [oid.numeric, 'float', 'NaN', null],
    [oid.float8, 'float', '-Infinity', null],
    [oid.float8, 'float', '1e-07', 1e-7],
    [oid.timestamptz, 'datetime', '2026-01-02 03:04:05.678901+00', '2026-01-02T03:04:05Z'],
    [oid.timestamp, 'datetime', '2026-01-02 03:04:05', '2026-01-02T03:04:05Z'],
    [oid.timestamptz, 'datetime', 'infinity', null],
    [oid.timestamptz, 'datetime', '0044-03-15 10:00:00+00 BC', null],
    [oid.json, 'json', '{"a": [1, null]}', { a: [1, null] }],
    [oid.jsonb, 'json', '"text"', 'text'],
    [oid.textArray, 'json', '{a,"b c",NULL,"NULL","\\"x\\""}', ['a', 'b c', null, 'NULL', '"x"']],
    [
      oid.int4Array,
      'json',
      '{{1,2},{3,NULL}}',
      [
        [1, 2],
        [3, null],
      ],
    ],
    [oid.timestamptzArray, 'json', '{"2026-01-02 03:04:05+00"}', ['2026-01-02T03:04:05Z']],
    [oid.date, 'text', '2026-01-02', '2026-01-02'],
    [oid.interval, 'text', '1 day', '1 day'],
    [oid.uuid, 'text', '6b0c', '6b0c'],
    [oid.text, 'text', 't', 't'],
    [999_999, 'text', '(1,2)', '(1,2)'],
  ])('A column of type %i has the kind %s and parses %s', (type, kind, text, value) => {
    expect(columnKind(type)).toBe(kind);
    expect(parseValue(text, type)).toEqual(value);
    expect(parseValue(null, type)).toBeNull();
  });
});
