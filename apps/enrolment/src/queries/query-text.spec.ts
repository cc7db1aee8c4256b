import { describe, expect, it } from '@jest/globals';
import { parameterValues, positional, readQueryText } from './query-text.ts';

const read = (sql: string) => {
  const text = readQueryText(sql);
  return { sql: positional(text), parameters: text.parameters };
};

describe('the text of a stored query', () => {
  it('has named parameters, each with one number', () => {
    expect(read('SELECT :a, :b_2 + :a')).toEqual({
      sql: 'SELECT $1, $2 + $1',
      parameters: ['a', 'b_2'],
    });
    expect(read('WITH x AS (SELECT 1) SELECT * FROM x')).toMatchObject({ parameters: [] });
    expect(read('(select :a) UNION (select :a)')).toMatchObject({ parameters: ['a'] });
  });

  it.each([
    [`SELECT ':no'`],
    [`SELECT 'it''s :no', 'b' || ':no'`],
    [`SELECT E'it\\'s :no'`],
    [`SELECT e'\\\\', 1`],
    [`SELECT 1 AS ":no"`],
    [`SELECT 1 AS "a"":no"`],
    ['SELECT $$it is :no$$'],
    ['SELECT $tag$ $$ :no $other$ $tag$'],
    ['SELECT 1 -- :no'],
    ['SELECT 1 /* :no /* nested :no */ :no */ AS a'],
    ['SELECT 1::text, now()::date'],
    ['SELECT make_interval(days := 3)'],
    ['SELECT list[1 : n]'],
    ['SELECT a$1 FROM a$b$ AS c'],
  ])('has no parameter in %s', (sql) => {
    expect(read(sql)).toEqual({ sql, parameters: [] });
  });

  it('keeps a cast of a parameter', () => {
    expect(read('SELECT :a::integer, (:b)::text')).toEqual({
      sql: 'SELECT $1::integer, ($2)::text',
      parameters: ['a', 'b'],
    });
  });

  it('may end in a semicolon, but goes no further', () => {
    expect(read('SELECT 1; -- done\n').sql).toBe('SELECT 1 -- done\n');
    expect(() => read('SELECT 1; SELECT 2')).toThrow('one statement');
  });

  it.each([
    ['DELETE FROM registrations', 'SELECT or WITH'],
    ['', 'SELECT or WITH'],
    ['-- SELECT', 'SELECT or WITH'],
    ['EXPLAIN SELECT 1', 'SELECT or WITH'],
    ['SELECT $1', ':name'],
    [`SELECT 'open`, 'no end'],
    ['SELECT "open', 'no end'],
    ['SELECT /* open /* */', 'no end'],
    ['SELECT :api_key', 'belongs to the request'],
    ['SELECT :name', 'belongs to the request'],
  ])('refuses %s', (sql, reason) => {
    expect(() => read(sql)).toThrow(reason);
  });

  it('takes the values of its parameters, all of them and no others', () => {
    const text = readQueryText('SELECT :b, :a, :b');
    expect(parameterValues(text, { a: '1', b: '2' })).toEqual(['2', '1']);
    expect(() => parameterValues(text, { a: '1' })).toThrow('needs the parameter b');
    expect(() => parameterValues(text, { a: '1', b: '2', c: '3' })).toThrow('no parameter c');
    expect(() => parameterValues(readQueryText('SELECT :toString'), {})).toThrow('needs');
  });
});
