import { describe, expect, it } from 'vitest';
import { parameterValues, toPositional, parseQueryText } from './query-text.ts';

const parse = (sql: string) => {
  const text = parseQueryText(sql);
  return { sql: toPositional(text), parameters: text.parameters };
};

describe('the text of a stored query', () => {
  it('gives each named parameter one number', () => {
    expect(parse('SELECT :a, :b_2 + :a')).toEqual({
      sql: 'SELECT $1, $2 + $1',
      parameters: ['a', 'b_2'],
    });
    expect(parse('WITH x AS (SELECT 1) SELECT * FROM x')).toMatchObject({ parameters: [] });
    expect(parse('(select :a) UNION (select :a)')).toMatchObject({ parameters: ['a'] });
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
  ])('the text of a stored query has no parameter in %s', (sql) => {
    expect(parse(sql)).toEqual({ sql, parameters: [] });
  });

  it('keeps a cast of a parameter', () => {
    expect(parse('SELECT :a::integer, (:b)::text')).toEqual({
      sql: 'SELECT $1::integer, ($2)::text',
      parameters: ['a', 'b'],
    });
  });

  it('the text of a stored query may end with a semicolon, but holds a single statement', () => {
    expect(parse('SELECT 1; -- done\n').sql).toBe('SELECT 1 -- done\n');
    expect(() => parse('SELECT 1; SELECT 2')).toThrow('single statement');
  });

  it.each([
    ['DELETE FROM registrations', 'SELECT or WITH'],
    ['', 'SELECT or WITH'],
    ['-- SELECT', 'SELECT or WITH'],
    ['EXPLAIN SELECT 1', 'SELECT or WITH'],
    ['SELECT $1', ':name'],
    [`SELECT 'open`, 'unterminated'],
    ['SELECT "open', 'unterminated'],
    ['SELECT /* open /* */', 'unterminated'],
    ['SELECT :api_key', 'is reserved'],
    ['SELECT :name', 'is reserved'],
  ])('the text of a stored query is rejected if it is %s', (sql, reason) => {
    expect(() => parse(sql)).toThrow(reason);
  });

  it('needs a value for each parameter, and no other values', () => {
    const text = parseQueryText('SELECT :b, :a, :b');
    expect(parameterValues(text, { a: '1', b: '2' })).toEqual(['2', '1']);
    expect(() => parameterValues(text, { a: '1' })).toThrow('needs the parameter b');
    expect(() => parameterValues(text, { a: '1', b: '2', c: '3' })).toThrow('no parameter c');
    expect(() => parameterValues(parseQueryText('SELECT :toString'), {})).toThrow('needs');
  });
});
