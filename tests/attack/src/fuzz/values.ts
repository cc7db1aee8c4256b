import type { SeededRandom } from '@registrar/testing';
import fc from 'fast-check';

/** A value of a parameter: text, or the bytes of what is no text. */
export type Value = string | Buffer;

/** The classes of values that every parameter is tried with, beside valid ones. */
export const hostileClasses = [
  'empty',
  'long',
  'unicode',
  'bytes',
  'number',
  'json',
  'expression',
  'date',
  'injection',
] as const;
export type HostileClass = (typeof hostileClasses)[number];

export const isHostileClass = (text: string): text is HostileClass =>
  hostileClasses.some((each) => each === text);

/** How many values of each class fast-check generates for a run. */
const generated = 400;

/** Values that have broken parsers, databases and spreadsheets elsewhere. */
const known: Readonly<Record<Exclude<HostileClass, 'long'>, readonly Value[]>> = {
  empty: ['', ' ', '\t', '\u00a0', '""', 'null', 'undefined'],
  unicode: [
    '\u0000',
    'a\u0000b',
    '\u0001\u0008\u000b\u000c\u001f\u007f',
    '\u202egnp.exe',
    '\ufeffbom',
    '\ufffe\uffff',
    '👩‍👩‍👧‍👦'.repeat(20),
    'é'.normalize('NFD'),
    'ﬀ İıßẞΣς',
    'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
    '＝１＋１',
    'a\r\nb\nc\rd\u2028e\u2029f\u0085g',
    'ﷺ'.repeat(50),
  ],
  bytes: [
    // A lone surrogate, overlong forms, a truncated sequence, bytes that no text has.
    Buffer.from('eda080', 'hex'),
    Buffer.from('c080', 'hex'),
    Buffer.from('e080af', 'hex'),
    Buffer.from('f0808080', 'hex'),
    Buffer.from('f8888080808f', 'hex'),
    Buffer.from('e282', 'hex'),
    Buffer.from('ff', 'hex'),
    Buffer.from('fffe6100', 'hex'),
    Buffer.from('61edb08062', 'hex'),
  ],
  number: [
    ...['0', '-0', '-1', '1.5', '1e3', '1e309', '-1e309', '1e-400', 'NaN', 'Infinity', '0x10'],
    ...['007', '+1', '1_000', '1,5', '١', '１', '2147483647', '2147483648', '-2147483649'],
    ...['9007199254740991', '9007199254740993', '9223372036854775807', '9223372036854775808'],
    ...['18446744073709551616', '9'.repeat(400), `0.${'1'.repeat(400)}`, '1'.repeat(15)],
  ],
  json: [
    ...['{}', '[]', '[[]]', 'true', '"x"', '{"a":1,"a":2}', '{"__proto__":{"x":1}}', '{"a":NaN}'],
    ...['{"constructor":{"prototype":{"x":1}}}', '[1e400]', '{"":""}', '{"a":"\\ud800"}'],
    ...['{"a":"\\u0000"}', '[null]', '{"a', "{'a':1}", '[1,]', '\ufeff{}', '{"toString":1}'],
    `${'['.repeat(31)}${']'.repeat(31)}`,
    `${'['.repeat(101)}${']'.repeat(101)}`,
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`,
    JSON.stringify(Array.from({ length: 3_000 }, (_, at) => at)),
    JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`k${at}`, at]))),
  ],
  expression: [
    ...['(a+)+$', '(a|a)*b', '(.*)*', '(a{1,99}){1,99}', '((((a*)*)*)*)*', '\\1(a)', '(?=a)a'],
    ...['[[:alpha:]]{256}', 'a{65536}', 'a{1000}{1000}', '(?b)a', '***=a', '***:a', '(?x) a # b'],
    ...['(', ')', '[', '{', 'a{,}', '*', '+', '?', '\\', '\\u0000', '\\x0', '[a-', '[[.a.]]', '^$'],
    ...['(?<n>a)', '(?!a)', '(?<=a)b', '\\m\\M\\y\\Y', '\\cZ', '\\B{2}', '.{0,255}', '(|)*', '[^]'],
    '('.repeat(128) + ')'.repeat(128),
    'a?'.repeat(60) + 'a'.repeat(60),
    '(a|b|c|d|e)*'.repeat(20),
  ],
  date: [
    ...['2024-02-30', '0000-01-01', '-000001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', 'now()'],
    ...['+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '2024-01-01T24:00:00Z'],
    ...['2024-12-31T23:59:60Z', '0001-01-01T00:00:00Z', '0000-01-01T00:00:00Z', 'infinity'],
    ...['2024-01-01T00:00:00+99:99', '2024-01-01T00:00:00+14:00', '1969-12-31', '-infinity'],
    ...['10000-01-01', '2024-W01-1', '2024-001', 'today', 'epoch', '294277-01-01T00:00:00Z'],
    ...['0000-02-29', '0000-12-31T23:59:59.999Z', '2024-01-01T00:00:00.123456789Z'],
  ],
  injection: [
    ...[
      "' OR 1=1 --",
      '"; DROP TABLE registrations; --',
      "\\'; SELECT pg_sleep(5); --",
      '$1',
      '$$',
    ],
    ...[
      '%',
      '_',
      '\\',
      "E'\\x00'",
      '::regclass',
      '{{constructor}}',
      '${7*7}',
      '#{7*7}',
      '<%= 7 %>',
    ],
    ...[
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      ';=1',
      '"=1',
      "'=1",
      '=HYPERLINK("http://x")',
    ],
    ...[
      'alert(1)',
      'a.b.c',
      'a..b',
      'a[0]',
      '__proto__',
      'constructor',
      '</script>',
      '<!--',
      'a;b',
    ],
    ...['<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'],
    ...[
      ']]>',
      '&amp;',
      '&#0;',
      '../../etc/passwd',
      '..%2f..%2f',
      '/etc/passwd',
      'file:///etc/passwd',
    ],
    ...['a\r\nSet-Cookie: b=c', 'http://169.254.169.254/', 'javascript:alert(1)', '//evil.example'],
    ...[
      'hasOwnProperty',
      'toString',
      'valueOf',
      '__defineGetter__',
      'then',
      'length',
      '*',
      '?',
      '#',
    ],
  ],
};

/**
 * Lengths around the limits of the contract (contract/parameters#text-length). The longer ones are
 * rare, because they take most of the time of a run.
 */
const lengths = [
  { share: 0.8, of: [255, 256, 257, 1_000, 1_001] },
  { share: 0.985, of: [10_000, 10_001, 65_535, 65_536, 65_537] },
  { share: 1, of: [1_048_576, 1_048_577, 4_000_000] },
] as const;

/** Hostile values by class: the known ones, and those that fast-check generates from a seed. */
export class HostileValues {
  readonly #pools: Readonly<Record<Exclude<HostileClass, 'long'>, readonly Value[]>>;

  constructor(seed: number) {
    const sample = <T extends Value>(arbitrary: fc.Arbitrary<T>) =>
      fc.sample(arbitrary, { seed, numRuns: generated });
    const text = (unit: 'binary' | 'grapheme') => fc.string({ unit, maxLength: 60 });
    const dates = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    this.#pools = {
      empty: known.empty,
      unicode: [...known.unicode, ...sample(text('binary')), ...sample(text('grapheme'))],
      bytes: [
        ...known.bytes,
        ...sample(fc.uint8Array({ minLength: 1, maxLength: 40 }).map((each) => Buffer.from(each))),
      ],
      number: [
        ...known.number,
        ...sample(fc.double().map(String)),
        ...sample(fc.bigInt().map(String)),
      ],
      json: [...known.json, ...sample(fc.json({ depthSize: 'medium' }))],
      expression: [...known.expression, ...sample(expressions)],
      date: [...known.date, ...sample(dates)],
      injection: [...known.injection, ...sample(fc.webUrl()), ...sample(fc.emailAddress())],
    };
  }

  /** @param maxBytes longer values do not fit where the value is sent */
  pick(which: HostileClass, random: SeededRandom, maxBytes: number): Value {
    if (which !== 'long') return random.pick(this.#pools[which]);
    const chance = random.next();
    const chosen = lengths.find(({ share }) => chance < share)?.of ?? lengths[0].of;
    const length = Math.min(random.pick([...chosen]), Math.floor(maxBytes / 3));
    return random.pick(['a', 'é', '\\', '"', ' ', '%', '0']).repeat(length);
  }
}

const atoms = fc.constantFrom('a', '.', '[a-z]', '\\d', '(?:b|c)', '^', '$', '[^,]', '\\w+', 'é');
const quantifiers = fc.constantFrom('', '', '*', '+', '?', '{2,5}', '{3,}', '*?', '{250}');
/** Expressions that can be parsed, and some that cannot. */
const expressions = fc
  .array(fc.tuple(atoms, quantifiers, fc.constantFrom('', '', '', '|', '(', ')')), {
    maxLength: 30,
  })
  .map((parts) => parts.flat().join(''));
