import { type QueryColumn } from '@registrar/contracts';
import pg from 'pg';
import type * as z from 'zod';

/** A value of a result in JSON. */
type Value = z.core.util.JSONType;
type Kind = QueryColumn['kind'];

const { builtins } = pg.types;

/** The kinds of PostgreSQL's types by OID (pg_type.dat). All other types are text. */
const kindByType = new Map<number, Kind>([
  [builtins.BOOL, 'boolean'],
  [builtins.INT2, 'integer'],
  [builtins.INT4, 'integer'],
  [builtins.INT8, 'integer'],
  [builtins.FLOAT4, 'float'],
  [builtins.FLOAT8, 'float'],
  [builtins.NUMERIC, 'float'],
  [builtins.TIMESTAMP, 'datetime'],
  [builtins.TIMESTAMPTZ, 'datetime'],
  [builtins.JSON, 'json'],
  [builtins.JSONB, 'json'],
]);

const textArray: number = 1009;

/** The element types of array types, by OID. */
const elementTypes = new Map<number, number>([
  [199, builtins.JSON],
  [1000, builtins.BOOL],
  [1005, builtins.INT2],
  [1007, builtins.INT4],
  [textArray, builtins.TEXT],
  [1014, builtins.BPCHAR],
  [1015, builtins.VARCHAR],
  [1016, builtins.INT8],
  [1021, builtins.FLOAT4],
  [1022, builtins.FLOAT8],
  [1115, builtins.TIMESTAMP],
  [1182, builtins.DATE],
  [1185, builtins.TIMESTAMPTZ],
  [1231, builtins.NUMERIC],
  [2951, builtins.UUID],
  [3807, builtins.JSONB],
]);

/** Returns the kind of a column. Arrays are JSON. */
export const columnKind = (typeId: number): Kind =>
  elementTypes.has(typeId) ? 'json' : (kindByType.get(typeId) ?? 'text');

/** Whole seconds (contract/formats#timestamps); null for infinity and years before Christ. */
function parseDatetime(text: string): string | null {
  const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?(?:\+00)?$/.exec(text) ?? [];
  return date && time ? `${date}T${time}Z` : null;
}

/** Null for NaN and infinity, which JSON does not have. */
function parseNumber(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

type Texts = (string | null | Texts)[];

/** Parses an array into the texts of its elements. */
const parseArray = pg.types.getTypeParser(textArray) as (text: string) => Texts;

const parseItems = (items: Texts, element: number): Value[] =>
  items.map((item) =>
    Array.isArray(item) ? parseItems(item, element) : parseValue(item, element),
  );

/**
 * Parses PostgreSQL's text format of a value, written with the time zone UTC and the date style ISO.
 */
export function parseValue(text: string | null, typeId: number): Value {
  if (text === null) return null;
  const element = elementTypes.get(typeId);
  if (element !== undefined) return parseItems(parseArray(text), element);
  switch (columnKind(typeId)) {
    case 'boolean':
      return text === 't';
    case 'integer':
    case 'float':
      return parseNumber(text);
    case 'datetime':
      return parseDatetime(text);
    case 'json':
      return JSON.parse(text) as Value;
    case 'text':
      return text;
  }
}
