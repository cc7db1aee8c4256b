import { describe, expect, it } from 'vitest';
import { parseForm as parseFormOf } from './form-fields.ts';
import { TextEncoding } from './text-encoding.ts';

const parseForm = (text: string, charset?: string) =>
  parseFormOf(Buffer.from(text), new TextEncoding(charset));
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
    expect(fieldsOf('a+b=c+d%20e%2B&%E2%82%ac=%F0%9F%8E%93&bad=%zz%4')).toEqual([
      ['a b', 'c d e+'],
      ['€', '🎓'],
      ['bad', '%zz%4'],
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

  it('the fields of a form are text in its encoding', () => {
    const faultOf = (text: string) => parseForm(text).fault;
    expect(faultOf('a=1&city=Z%FCrich')).toMatchObject({
      message: 'city is not valid UTF-8: state its charset in Content-Type, or send UTF-8',
      parameter: 'city',
    });
    expect(faultOf('Z%FCrich=1')?.message).toMatch(/^the name of a parameter is not valid UTF-8/);
    expect(parseFormOf(Buffer.from('a=\xfc', 'latin1')).fault?.message).toMatch(/^a is not/);
    for (const valid of ['a=%EF%BF%BD', 'a=\ufffd', 'a=%F0%9F%8E%93+%zz%4']) {
      expect(faultOf(valid)).toBeNull();
    }
    // The replacement character, of which one byte is not escaped.
    const mixed = Buffer.from('a=\xef%bf%bd', 'latin1');
    expect(parseFormOf(mixed).fault).toBeNull();
    expect(faultOf('a=%EF%BF%BD&b=%ff')).toMatchObject({ parameter: 'b' });
    const { fields, fault } = parseForm('half=%e2%82&a=1&other=%ff');
    expect(fault?.message).toMatch(/^half is not valid UTF-8/);
    expect([...fields]).toEqual([
      ['half', '\ufffd'],
      ['a', '1'],
      ['other', '\ufffd'],
    ]);
    const latin = parseForm('city=Z%FCrich+%80&empty&&a=%3D%26', 'ISO-8859-1');
    expect(latin).toMatchObject({ fault: null });
    expect([...latin.fields]).toEqual([
      ['city', 'Zürich €'],
      ['empty', ''],
      ['a', '=&'],
    ]);
    expect([...parseForm('a=%83A', 'Shift_JIS').fields]).toEqual([['a', 'ア']]);
    expect(parseForm('a=%83', 'shift_jis').fault?.message).toBe('a is not valid SHIFT_JIS');
    for (const charset of ['utf-7', 'utf-16le', 'no-such-charset']) {
      expect(() => new TextEncoding(charset)).toThrow(/^the charset ".*" is not /);
    }
  });
});
