import pg from 'pg';
import { parse } from 'postgres-array';

const int8Array = 1016;

function toNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the safe integers`);
  return value;
}

/** pg's types, with `bigint` as a number. Values beyond 2^53 make the query fail. */
export const typesWithNumericInt8 = new pg.TypeOverrides();
typesWithNumericInt8.setTypeParser(pg.types.builtins.INT8, toNumber);
typesWithNumericInt8.setTypeParser(int8Array, (text) => parse(text, toNumber));
