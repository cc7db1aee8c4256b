import { describe, expect, it } from '@jest/globals';
import { ParameterCollection } from '../parameters/request-parameters.ts';
import { FormParser } from './form-parser.ts';
import { JsonParser } from './json-parser.ts';
import { MultipartParser } from './multipart-parser.ts';

type Parser = typeof FormParser | typeof JsonParser;

/** Parses a body that arrives in two pieces. */
function parseSplit(Parser: Parser, body: Buffer, at: number): Record<string, readonly string[]> {
  const given = new ParameterCollection();
  const parser = new Parser(given);
  parser.write(body.subarray(0, at));
  parser.write(body.subarray(at));
  parser.end();
  return Object.fromEntries(given);
}

/** What a body gives wherever it is split. */
function parse(Parser: Parser, text: string): Record<string, readonly string[]> {
  const body = Buffer.from(text);
  const whole = parseSplit(Parser, body, 0);
  for (let at = 1; at <= body.length; at += 1) {
    expect(parseSplit(Parser, body, at)).toEqual(whole);
  }
  return whole;
}

describe('the parser of forms', () => {
  it('reads names and values as the URL standard does', () => {
    for (const text of [
      'a=1&b=2&a=3&a=1',
      '',
      '&&a&=b&c=&&d==e=',
      'a+b=c+d%20e%2B',
      '%E2%82%ac=%F0%9F%8E%93&bad=%zz%4&half=%e2%82&plain=€&end=%+',
      'course_guid%5B%5D=x&custom={"a":"b&c"}',
    ]) {
      const expected: Record<string, string[]> = {};
      for (const [name, value] of new URLSearchParams(text)) {
        expected[name] = [...new Set([...(expected[name] ?? []), value])];
      }
      expect(parse(FormParser, text)).toEqual(expected);
    }
  });

  it('rejects more than 1000 values, and names of more than 255 characters', () => {
    const values = (count: number) => 'a=1&'.repeat(count);
    expect(parseSplit(FormParser, Buffer.from(values(1_000)), 9)).toEqual({ a: ['1'] });
    expect(() => parseSplit(FormParser, Buffer.from(values(1_001)), 9)).toThrow(
      'too many parameters',
    );
    const name = (length: number) => Buffer.from(`${'%E2%82%AC'.repeat(length)}=1`);
    expect(parseSplit(FormParser, name(255), 9)).toEqual({ ['€'.repeat(255)]: ['1'] });
    expect(() => parseSplit(FormParser, name(256), 9)).toThrow('longer than 255 characters');
    // Before the name has ended.
    const parser = new FormParser(new ParameterCollection());
    expect(() => parser.write(Buffer.from('a'.repeat(2_000)))).toThrow(
      'longer than 255 characters',
    );
  });
});

describe('the parser of JSON', () => {
  it('reads the members of an object, and writes values that are no strings as JSON text', () => {
    const values = {
      text: 'a "quoted" \\\\ and €🎓 \u0001\\',
      'na"me': '',
      list: [1, 'two, [three]', { four: '}"' }, [[]]],
      object: { a: { b: null } },
      number: -1.5e3,
      yes: true,
      nothing: null,
    };
    const expected = Object.entries(values)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, [typeof value === 'string' ? value : JSON.stringify(value)]]);
    for (const text of [JSON.stringify(values), JSON.stringify(values, null, '\t\r\n ')]) {
      expect(parse(JsonParser, text)).toEqual(Object.fromEntries(expected));
      expect(parse(JsonParser, `\ufeff ${text} `)).toEqual(Object.fromEntries(expected));
    }
    expect(parse(JsonParser, '{}')).toEqual({});
  });

  it('rejects what is no JSON object', () => {
    const notJson = [
      '{',
      'null',
      '"a"',
      '1',
      'a=b',
      '{"a":1',
      '{"a":}',
      '{"a" 1}',
      '{"a":1,}',
    ].concat(
      [
        '{,}',
        '{"a":1 2}',
        '{"a":tru}',
        '{"a":[}]}',
        '{"a":1}}',
        '{"a":1} x',
        '{a:1}',
        '{"a":"\n"}',
      ],
      ['{"a":1 "b":2}', '{"a":01}', '{"a":"\\x"}', '{"\\x":1}'],
    );
    // Values that are too long to be parsed.
    const long = [
      `{"a":${'a'.repeat(70_000)}}`,
      `{"a":t${'a'.repeat(70_000)}}`,
      `{"a":[${' '.repeat(70_000)}}}`,
    ];
    for (const text of notJson.concat(long)) {
      const reason = messageOf(() => parseSplit(JsonParser, Buffer.from(text), 1));
      expect([text, reason]).toEqual([text, 'the body is not valid JSON']);
    }
    expect(() => parseSplit(JsonParser, Buffer.from('[1]'), 0)).toThrow('not a JSON object');
    expect(() => parseSplit(JsonParser, Buffer.from(' '), 0)).toThrow('the body is empty');
  });

  it('rejects deep nesting, many values and long names while they arrive', () => {
    const refused = (text: string) =>
      messageOf(() => new JsonParser(new ParameterCollection()).write(Buffer.from(text)));
    expect(refused(`{"a":${'['.repeat(32)}`)).toBeNull();
    expect(refused(`{"a":${'[{"b":'.repeat(17)}`)).toMatch(/more than 32 levels/);
    expect(refused(`{"a":[${'1,'.repeat(90_000)}`)).toBeNull();
    expect(refused(`{"a":[${'1,'.repeat(101_000)}`)).toMatch(/more than 100000 values/);
    expect(refused(`{"a":{${'"b":[],'.repeat(51_000)}`)).toMatch(/more than 100000 values/);
    expect(refused(`{"${'a'.repeat(2_000)}`)).toMatch(/longer than 255 characters/);
    expect(refused(`{${Array.from({ length: 1_001 }, (_, at) => `"a${at}":1`).join(',')}}`)).toBe(
      'too many parameters',
    );
    expect(refused(`{${'"a":null,'.repeat(1_000)}`)).toBeNull();
    expect(refused(`{${'"a":null,'.repeat(1_001)}`)).toBe('too many parameters');
  });
});

describe('the parser of multipart forms', () => {
  const boundary = 'multipart/form-data; boundary=x';
  const beginning = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc';

  it('rejects a form that ends within a file that nothing reads yet', async () => {
    const { promise: authorized, resolve: authorize } = Promise.withResolvers<void>();
    const readFile = () => authorized;
    const parser = new MultipartParser(boundary, new ParameterCollection(), readFile, 1_000);
    await parser.write(Buffer.from(beginning));
    const fault = await parser.end().catch((error: unknown) => error);
    expect(fault).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('Unexpected end of'),
    });
    // The parser reports the unfinished file in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    authorize();
    await parser.abort(fault as Error);
  });

  it('rejects a form that ends within a file that cannot be read', async () => {
    const { promise: refused, reject: refuse } = Promise.withResolvers<void>();
    const readFile = () => refused;
    const parser = new MultipartParser(boundary, new ParameterCollection(), readFile, 1_000);
    await parser.write(Buffer.from(beginning));
    refuse(new Error('the access is not valid'));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(parser.end()).rejects.toThrow('the access is not valid');
    await new Promise((resolve) => setImmediate(resolve));
  });
});

function messageOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
