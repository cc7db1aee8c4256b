import { describe, expect, it } from 'vitest';
import { parseForm } from './form-fields.ts';

const fieldsOf = (text: string) => [...parseForm(text).fields];

describe('the fields of a form', () => {
  it('the fields of a form are read as the URL standard does', () => {
    expect(fieldsOf('a=1&b=2&a=3&&=b&c=&d==e=&f')).toEqual([
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
      ['', 'b'],
      ['c', ''],
      ['d', '=e='],
      ['f', ''],
    ]);
    expect(fieldsOf('a+b=c+d%20e%2B&%E2%82%ac=%F0%9F%8E%93&bad=%zz%4&half=%e2%82')).toEqual([
      ['a b', 'c d e+'],
      ['€', '🎓'],
      ['bad', '%zz%4'],
      ['half', '\ufffd'],
    ]);
    expect(fieldsOf('?a=1')).toEqual([['?a', '1']]);
    expect(fieldsOf('')).toEqual([]);
  });

  it('the fields of a form are at most 1000, and those that precede the rest', () => {
    expect(parseForm('a=1&'.repeat(1_000)).fault).toBeNull();
    const { fields, fault } = parseForm('a=1&'.repeat(1_001));
    expect([fields.size, fault?.message]).toEqual([1_000, 'too many parameters']);
    expect(parseForm(`${'a&'.repeat(999)}b`)).toMatchObject({ fault: null });
  });
});
