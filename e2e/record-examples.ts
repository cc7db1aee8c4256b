import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { samplePackage } from '#libs/sample-courses';
import { chromiumForTests } from '#libs/testing';
import { openBrowser } from './browser.ts';
import { type ExampleStep, exampleSteps } from './example-steps.ts';
import { playFirstAid } from './learner.ts';

/**
 * Makes the documentation's tour on a fresh system and writes down what it really answered: into
 * the reference (apps/gateway/src/reference/examples.json) and between the marks of README.md and
 * docs/api.md. Needs Chromium.
 *
 *     npm run examples -- --quickstart var/quickstart.json
 */
const { values } = parseArgs({ options: { quickstart: { type: 'string' } } });
if (!values.quickstart) throw new Error('--quickstart names the facts of the system to ask');
const facts = JSON.parse(await readFile(values.quickstart, 'utf8')) as Record<string, string>;
const chromium = chromiumForTests();
if (!chromium) throw new Error('Chromium plays the course of the tour, and there is none');

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

async function bodyOf(step: ExampleStep): Promise<FormData | URLSearchParams | null> {
  if (!step.form) return null;
  const fields = step.form.map((field): [string, string] => {
    const [name = '', value = ''] = filled(field).split(/=(.*)/s);
    return [name, value];
  });
  if (!step.file) return new URLSearchParams(fields);
  const form = new FormData();
  for (const [name, value] of fields) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(await samplePackage(step.file))]), `${step.file}.zip`);
  return form;
}

/** The longest line of a command before it is broken. */
const width = 90;

/** The request as a command for a shell. */
function commandOf(step: ExampleStep): string {
  const put = step.method === 'PUT' ? ['-X PUT'] : [];
  const address = step.path.includes('?') ? `"$API${step.path}"` : `$API${step.path}`;
  const fields = (step.form ?? []).map((field) => {
    const quoted = /[^\w=@.$-]/.test(field) ? `'${field}'` : field;
    if (step.file) return `-F ${quoted}`;
    return /[ +&%]/.test(field) ? `--data-urlencode ${quoted}` : `-d ${quoted}`;
  });
  const file = step.file ? [`-F file=@${step.file}.zip`] : [];
  const words = ['curl -s', ...put, address, ...fields, ...file];
  const line = words.join(' ');
  return line.length <= width ? line : words.join(' \\\n  ').replace('curl -s \\\n ', 'curl -s');
}

/** JSON is laid out for reading. */
function shown(text: string): string {
  return text.startsWith('{') || text.startsWith('[')
    ? JSON.stringify(JSON.parse(text), null, 2)
    : text.trimEnd();
}

const examples: Record<string, { request: string; answer: unknown }> = {};
const places = new Map<string, string>();
for (const step of exampleSteps) {
  const text = await send(step);
  if (step.operation) {
    examples[step.operation] = {
      request: `${step.method} ${step.path.split('?')[0]}`,
      answer: JSON.parse(text),
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
    const browser = await openBrowser(chromium);
    await playFirstAid(browser, answer['launch_url'] ?? '').finally(() => browser.close());
  }
}

await writeFile(
  'apps/gateway/src/reference/examples.json',
  `${JSON.stringify(examples, null, 2)}\n`,
);
for (const file of ['README.md', 'docs/api.md']) {
  const before = await readFile(file, 'utf8');
  const after = before.replace(
    /(<!-- example: ([\w-]+) -->\n)[^]*?(<!-- end -->)/g,
    (_whole, open: string, place: string, close: string) =>
      `${open}\n${places.get(place) ?? `no step fills ${place}`}\n\n${close}`,
  );
  await writeFile(file, after);
}
process.stdout.write(`Recorded ${Object.keys(examples).length} operations.\n`);
