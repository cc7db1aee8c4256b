import { readdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { buildSamplePackage } from '@registrar/sample-courses';
import { findChromium } from '@registrar/testing';
import { buildDraftPackage, Client } from '@registrar/conformance';
import { openBrowser } from '@registrar/testing/browser';
import { type ExampleStep, exampleSteps } from './example-steps.ts';
import { playFirstAid } from './learner.ts';
import { OpenApiDocument } from './open-api-document.ts';

/**
 * Sends the requests of the documentation's tour to a fresh system and records the responses: in
 * the reference (apps/gateway/src/reference/examples.json) and between the marks of README.md and
 * docs/contract. An operation that is not in the tour is sent with the documented examples of its
 * parameters, for the first item of its resource. Needs Chromium.
 *
 *     npm run examples -- --quickstart var/quickstart.json
 */
const { values } = parseArgs({ options: { quickstart: { type: 'string' } } });
if (!values.quickstart)
  throw new Error('--quickstart must name the quickstart file of a running system');
const facts = JSON.parse(await readFile(values.quickstart, 'utf8')) as Record<string, string>;
const chromium = findChromium();
if (!chromium.available) throw new Error(chromium.reason);

const known: Record<string, string> = {
  REALM_GUID: facts['realm_guid'] ?? '',
  REALM_SECRET_KEY: facts['realm_secret_key'] ?? '',
};
const filled = (text: string) =>
  text.replace(/\$([A-Z_]+)/g, (whole, name: string) => known[name] ?? whole);

async function send(step: ExampleStep): Promise<string> {
  const url = `${facts['base_url']}${filled(step.path)}`;
  const response = await fetch(url, { method: step.method, body: await bodyOf(step) });
  const text = await response.text();
  if (response.status >= 300) throw new Error(`${step.path} answered ${response.status}`);
  return text;
}

/** A request without `fields`: the documentation shows a part of its response, the reference all of it. */
const withoutFields = ({ path, ...step }: ExampleStep): ExampleStep => ({
  ...step,
  path: path.replace(/\bfields=[^&]*&?/, '').replace(/[?&]$/, ''),
});

async function bodyOf(step: ExampleStep): Promise<FormData | URLSearchParams | null> {
  if (!step.form) return null;
  const fields = step.form.map((field): [string, string] => {
    const [name = '', value = ''] = filled(field).split(/=(.*)/s);
    return [name, value];
  });
  if (!step.file) return new URLSearchParams(fields);
  const form = new FormData();
  for (const [name, value] of fields) form.set(name, value);
  const file = await (step.file === 'draft' ? buildDraftPackage() : buildSamplePackage(step.file));
  form.set('file', new Blob([new Uint8Array(file)]), `${step.file}.zip`);
  return form;
}

/** The maximum length of a command's line. */
const width = 90;

/** Returns the request as a shell command. */
function commandOf(step: ExampleStep): string {
  const method = ['PUT', 'DELETE'].includes(step.method) ? [`-X ${step.method}`] : [];
  const address = step.path.includes('?') ? `"$API${step.path}"` : `$API${step.path}`;
  const fields = (step.form ?? []).map((field) => {
    const quoted = /[^\w=@.$-]/.test(field) ? `'${field}'` : field;
    if (step.file) return `-F ${quoted}`;
    return /[ +&%]/.test(field) ? `--data-urlencode ${quoted}` : `-d ${quoted}`;
  });
  const file = step.file ? [`-F file=@${step.file}.zip`] : [];
  // Without -g, curl reads brackets in an address as a range.
  const curl = step.path.includes('[') ? 'curl -sg' : 'curl -s';
  const words = [curl, ...method, address, ...fields, ...file];
  const line = words.join(' ');
  return line.length <= width ? line : words.join(' \\\n  ').replace(`${curl} \\\n `, curl);
}

/** Returns a response for the documentation: JSON is indented. */
function shown(text: string): string {
  return text.startsWith('{') || text.startsWith('[')
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text.trimEnd();
}

type Examples = Record<string, { request: string; answer: unknown }>;
const examplesFile = 'apps/gateway/src/reference/examples.json';
const recorded = JSON.parse(await readFile(examplesFile, 'utf8')) as Examples;
const examples: Examples = {};
const places = new Map<string, string>();
for (const step of exampleSteps) {
  const text = await send(step);
  if (step.operation) {
    // What is deleted cannot be deleted again.
    const isRepeated = step.path.includes('fields=') && step.method !== 'DELETE';
    const whole = isRepeated ? await send(withoutFields(step)) : text;
    examples[[step.operation, step.variant].filter(Boolean).join(', ')] = {
      request: `${step.method} ${step.path.split('?')[0]}`,
      answer: JSON.parse(whole),
    };
  }
  if (step.place) {
    const language = text.startsWith('<')
      ? 'xml'
      : text.startsWith('{') || text.startsWith('[')
        ? 'json'
        : 'csv';
    places.set(
      step.place,
      `\`\`\`sh\n${commandOf(step)}\n\`\`\`\n\n\`\`\`${language}\n${shown(text)}\n\`\`\``,
    );
  }
  const answer = text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : {};
  if (step.fills) known[step.fills[0]] = answer[step.fills[1]] ?? '';
  if (step.plays) {
    const browser = await openBrowser(chromium.handle);
    try {
      await playFirstAid(browser, answer['launch_url'] ?? '');
    } finally {
      await browser.close();
    }
  }
}

const api = new Client(facts['base_url'] ?? '');
const document = await OpenApiDocument.read(api);
for (const operation of document.operations) {
  const name = operation.name.replace(/^(initialize|run) index$/, '$1');
  if (name in examples) continue;
  const former = recorded[name];
  if (former && operation.method === 'DELETE') {
    // The tour cannot create what it deletes, such as an operator's query.
    examples[name] = former;
    continue;
  }
  const [resource = ''] = name.split(' ');
  const access = { api_key: known['KEY'] };
  const [item = {}] = JSON.parse((await api.get(`/${resource}.json`, access)).text) as Record<
    string,
    string | number
  >[];
  const path = operation.path
    .replace('{format}', 'json')
    .replace(/\{\w+\}/, String(item[`${resource}_guid`] ?? item['id']));
  const own = operation.parameters.filter(
    ({ in: place, example }) => place !== 'path' && typeof example === 'string',
  );
  const parameters = Object.fromEntries(own.map((each) => [each.name, each.example]));
  const response = await api.send(operation.method, path, { query: { ...access, ...parameters } });
  if (response.status >= 300) throw new Error(`${path} answered ${response.status}`);
  const request = `${operation.method} ${path}`;
  examples[name] = { request, answer: JSON.parse(response.text) as unknown };
}

await writeFile(examplesFile, `${JSON.stringify(examples, null, 2)}\n`);
const pages = (await readdir('docs/contract')).map((page) => `docs/contract/${page}`);
for (const file of ['README.md', ...pages]) {
  const before = await readFile(file, 'utf8');
  const after = before.replace(
    /(<!-- example: ([\w-]+) -->\n)[^]*?(<!-- end -->)/g,
    (_whole, open: string, place: string, close: string) =>
      `${open}\n${places.get(place) ?? `no step fills ${place}`}\n\n${close}`,
  );
  await writeFile(file, after);
}
process.stdout.write(`Recorded ${Object.keys(examples).length} operations.\n`);
