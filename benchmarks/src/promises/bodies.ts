import { jsonFault, parseForm } from '@registrar/bootstrap';
import type { PromiseResult } from './report.ts';

/** What is parsed of a body before access is known (libs/bootstrap/src/bodies/read-bodies.ts). */
const bytes = 64 * 1024;
const maxMs = 5;

/** The least time counts: other processes of the machine only add to it. */
const rounds = 30;

const fill = (text: string, length = bytes) => text.repeat(Math.floor(length / text.length));
const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}`);

const jsonInputs: Readonly<Record<string, string>> = {
  'nested arrays': `{"a":${'['.repeat(bytes / 2 - 10)}${']'.repeat(bytes / 2 - 10)}}`,
  'arrays that are not closed': `{"a":${fill('[')}`,
  objects: `{"a":[${fill('{},', bytes - 20)}{}]}`,
  'objects before a forbidden one': `{"a":[${fill('{},', bytes - 40)}{"__proto__":1}]}`,
  arrays: `{"a":[${fill('[],', bytes - 20)}[]]}`,
  numbers: `{"a":[${fill('1,', bytes - 20)}1]}`,
  members: JSON.stringify(Object.fromEntries(names(bytes / 12).map((name) => [name, 1]))),
  escapes: `{"a":"${fill('\\u00e9', bytes - 20)}"}`,
};
const formInputs: Readonly<Record<string, string>> = {
  fields: fill('a&'),
  'different names': names(bytes / 7).join('&'),
  escapes: `a=${fill('%e2%82%ac', bytes - 20)}`,
  'malformed escapes': `a=${fill('%ff', bytes - 20)}`,
  spaces: `a=${fill('x+', bytes - 20)}`,
};

/** Measures what parsing costs, with the values written as the gateway passes them on. */
export async function measureBodies(): Promise<PromiseResult[]> {
  const parseJson = (text: string) => {
    if (jsonFault(text) !== null) return;
    for (const each of Object.values(JSON.parse(text) as object)) JSON.stringify(each);
  };
  return [
    ...measured('JSON', jsonInputs, parseJson),
    ...measured('form', formInputs, (text) => [...parseForm(Buffer.from(text)).fields]),
  ];
}

function measured(
  type: string,
  inputs: Readonly<Record<string, string>>,
  parse: (text: string) => unknown,
): PromiseResult[] {
  return Object.entries(inputs).map(([name, text]) => {
    let least = Infinity;
    for (let round = 0; round < rounds; round += 1) {
      const before = process.cpuUsage();
      parse(text);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1_000);
    }
    return {
      promise: `64 KiB of ${type}, ${name}: at most ${maxMs} ms of a processor`,
      measured: `${least.toFixed(1)} ms`,
      kept: least <= maxMs,
    };
  });
}
