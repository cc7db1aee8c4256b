import type { BodySizes } from './body-routes.ts';

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=x';

/** A request that keeps a parser busy. */
export interface BusyInput {
  readonly name: string;
  readonly query?: string;
  readonly type?: string;
  readonly body?: string | FormData;
  readonly accept?: string;
}

/**
 * Many names, many values, long values, deep and wide JSON, many parts.
 *
 * @param bytes the length of a body of JSON, and of a form
 */
export function busiestInputs(bytes: BodySizes): BusyInput[] {
  // Names of parameters and brackets take the rest.
  const [jsonSize, formSize] = [bytes.json - 100, bytes.form - 100];
  const fill = (text: string, size: number) => text.repeat(Math.floor(size / text.length));
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
  const learners = (size: number) =>
    Array.from({ length: size / 40 }, (_, at) => `learner-${at}@learners.example.com`);
  const ofJson = (name: string, body: string): BusyInput => ({
    name,
    type: 'application/json',
    body,
  });
  const ofForm = (name: string, body: string): BusyInput => ({ name, type: form, body });
  const parts = new FormData();
  for (const name of names(999)) parts.set(name, 'a');
  const longFields = new FormData();
  for (const name of names(7)) longFields.set(name, 'é'.repeat(formSize / 20));
  return [
    ofForm('form names', names(formSize / 9).join('&')),
    ofForm('form values of one name', fill('a=1&', formSize)),
    ofForm('one escaped form value', `learners=${fill('%e2%82%ac', formSize)}`),
    ofForm('spaces in a form value', `learners=${fill('x+', formSize)}`),
    ofForm('malformed escapes', `learners=${fill('%ff', formSize)}`),
    ofForm('malformed values', fill('a=%ff&', formSize)),
    ofForm(
      'values of equal length',
      names(1_000)
        .map((name) => `a=${'x'.repeat(formSize / 1_000 - 10)}${name}`)
        .join('&'),
    ),
    ofForm('ampersands', fill('&', formSize)),
    ofJson(
      'JSON keys',
      JSON.stringify(Object.fromEntries(names(jsonSize / 13).map((n) => [n, 1]))),
    ),
    ofJson('JSON nulls', `{${fill('"a":null,', jsonSize)}"a":null}`),
    ofJson('JSON depth, not closed', `{"learners":${fill('[', jsonSize)}`),
    ofJson('JSON depth', `{"learners":${fill('[', jsonSize / 2)}${fill(']', jsonSize / 2)}}`),
    ofJson('JSON objects', `{"learners":[${fill('{},', jsonSize)}{}]}`),
    ofJson(
      'JSON before a forbidden name',
      `{"learners":[${fill('{},', jsonSize)}{"__proto__":1}]}`,
    ),
    ofJson('JSON escapes', `{"learners":"${fill('\\u00e9', jsonSize)}"}`),
    ofJson('JSON numbers', `{"learners":[${fill('1,', jsonSize)}1]}`),
    ofJson(
      'nested JSON keys',
      `{"learners":{${names(jsonSize / 15)
        .map((name) => `"${name}":{}`)
        .join(',')}}}`,
    ),
    ofJson('JSON arrays', `{"learners":[${fill('[],', jsonSize)}[]]}`),
    ofJson('long JSON numbers', `{"learners":[${fill(`${'1234567890'.repeat(3)},`, jsonSize)}1]}`),
    { name: 'parts', body: parts },
    { name: 'empty parts', type: multipart, body: fill('--x\r\n\r\n\r\n', formSize) },
    { name: 'long fields', body: longFields },
    ofForm(
      'learners as a form',
      new URLSearchParams({
        name: 'x',
        learners: JSON.stringify(learners(formSize / 2)),
      }).toString(),
    ),
    ofJson('learners as JSON', JSON.stringify({ name: 'x', learners: learners(jsonSize) })),
    { name: 'Accept header', accept: 'a/b,'.repeat(60_000) },
    { name: 'malformed query values', query: 'a=%ff&'.repeat(1_000) },
    { name: 'query names', query: names(35_000).join('&') },
    { name: 'spaces in a query value', query: `learners=${'x+'.repeat(110_000)}` },
    { name: 'one query value', query: `learners=${'%e2%82%ac'.repeat(25_000)}` },
    ofForm('fields', `name=x&fields=${fill('a,', formSize)}`),
  ];
}
