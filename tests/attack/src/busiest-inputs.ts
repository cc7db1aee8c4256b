const mebibyte = 1024 * 1024;
const form = 'application/x-www-form-urlencoded';

/** A request that keeps a parser busy. */
export interface BusyInput {
  readonly name: string;
  readonly query?: string;
  readonly type?: string;
  readonly body?: string | FormData;
  readonly accept?: string;
}

/** Many names, many values, long values, deep and wide JSON, many parts. */
export function busiestInputs(): BusyInput[] {
  const size = 7.9 * mebibyte;
  const fill = (text: string) => text.repeat(Math.floor(size / text.length));
  const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);
  const json = 'application/json';
  const learners = Array.from({ length: 20_000 }, (_, at) => `learner-${at}@learners.example.com`);
  const parts = new FormData();
  for (const name of names(999)) parts.set(name, 'a');
  const longFields = new FormData();
  for (const name of names(7)) longFields.set(name, 'é'.repeat(mebibyte / 2));
  return [
    { name: 'form names', type: form, body: names(900_000).join('&') },
    { name: 'form values of one name', type: form, body: fill('a=1&') },
    { name: 'one escaped form value', type: form, body: `learners=${fill('%e2%82%ac')}` },
    {
      name: 'values of equal length',
      type: form,
      body: names(1_000)
        .map((name) => `a=${'x'.repeat(8_000)}${name}`)
        .join('&'),
    },
    { name: 'ampersands', type: form, body: fill('&') },
    {
      name: 'JSON keys',
      type: json,
      body: JSON.stringify(Object.fromEntries(names(600_000).map((name) => [name, 1]))),
    },
    { name: 'JSON nulls', type: json, body: `{${fill('"a":null,')}"a":null}` },
    { name: 'JSON depth', type: json, body: `{"learners":${fill('[')}` },
    { name: 'JSON escapes', type: json, body: `{"learners":"${fill('\\u00e9')}"}` },
    { name: 'JSON numbers', type: json, body: `{"learners":[${'1,'.repeat(95_000)}1]}` },
    {
      name: 'nested JSON keys',
      type: json,
      body: `{"learners":{${names(95_000)
        .map((name) => `"${name}":{}`)
        .join(',')}}}`,
    },
    { name: 'parts', body: parts },
    { name: 'long fields', body: longFields },
    {
      name: '20,000 learners as a form',
      type: form,
      body: new URLSearchParams({ name: 'x', learners: JSON.stringify(learners) }).toString(),
    },
    { name: '20,000 learners as JSON', type: json, body: JSON.stringify({ name: 'x', learners }) },
    { name: 'Accept header', accept: 'a/b,'.repeat(60_000) },
    { name: 'query names', query: names(35_000).join('&') },
    { name: 'one query value', query: `learners=${'%e2%82%ac'.repeat(25_000)}` },
    { name: 'fields', type: form, body: `name=x&fields=${fill('a,')}` },
  ];
}
