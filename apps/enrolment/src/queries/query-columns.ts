import { type QueryColumn } from '#libs/contracts';
import pg from 'pg';
import type * as z from 'zod';

/** A value of a row, as it travels and as the formats write it. */
type Value = z.core.util.JSONType;
type Kind = QueryColumn['kind'];

const { builtins } = pg.types;

/** PostgreSQL's types by their OIDs (pg_type.dat); all others are text. */
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

/** Arrays, by the type of their elements. */
const elementType = new Map<number, number>([
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

/** What the formats make of a type of PostgreSQL; arrays are JSON. */
export const kindOf = (typeId: number): Kind =>
  elementType.has(typeId) ? 'json' : (kindByType.get(typeId) ?? 'text');

/** Times in whole seconds (decision 7); what has no such form, such as infinity, is null. */
function datetime(text: string): string | null {
  const [, date, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.\d+)?(?:\+00)?$/.exec(text) ?? [];
  return date && time ? `${date}T${time}Z` : null;
}

/** JSON has no NaN and no infinity: null. */
function number(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

type Texts = (string | null | Texts)[];

/** The elements of an array as texts. */
const parseArray = pg.types.getTypeParser(textArray) as (text: string) => Texts;

const arrayOf = (items: Texts, element: number): Value[] =>
  items.map((item) => (Array.isArray(item) ? arrayOf(item, element) : valueOf(item, element)));

/**
 * A value from PostgreSQL's text for it, which was written with the time zone UTC and the date
 * style ISO.
 */
export function valueOf(text: string | null, typeId: number): Value {
  if (text === null) return null;
  const element = elementType.get(typeId);
  if (element !== undefined) return arrayOf(parseArray(text), element);
  switch (kindOf(typeId)) {
    case 'boolean':
      return text === 't';
    case 'integer':
    case 'float':
      return number(text);
    case 'datetime':
      return datetime(text);
    case 'json':
      return JSON.parse(text) as Value;
    case 'text':
      return text;
  }
}
