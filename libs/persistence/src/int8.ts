import pg from 'pg';

const int8 = 20;
const int8Array = 1016;

const toNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} exceeds the safe integers`);
  return value;
};

type Nested = string | null | Nested[];
const stringArray = pg.types.getTypeParser(int8Array as number) as unknown as (
  text: string,
) => Nested;
const toNumbers = (value: Nested): unknown =>
  Array.isArray(value) ? value.map(toNumbers) : value === null ? null : toNumber(value);

/** pg's types, with `bigint` as a number. Values beyond 2^53 make the query fail. */
export const typesWithNumericInt8: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === int8) return toNumber;
      if (oid === int8Array) return (text: string) => toNumbers(stringArray(text));
    }
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
  },
};
