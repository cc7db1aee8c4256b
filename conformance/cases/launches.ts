import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  textOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

const registered = (on: Installation) =>
  on.once('registration to launch', async () => on.register(await on.course()));

const launch = async (on: Installation, more: Parameters = {}) =>
  on.api.get(`/registration/${await registered(on)}/launch_url.json`, { ...on.realm, ...more });

/** Where a launch URL leads; the page is not read. */
async function opens(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  await response.body?.cancel();
  checkEqual(response.status, 200, `the status of ${new URL(url).origin}`);
}

export const launchCases = [
  trial(
    'launch_url answers one record with an address that opens',
    [
      'api-v2: Registration: launch_url, GET /registration/<registration_guid>/launch_url',
      'api-v2: Registration: launch_url, 200',
      'decision 20',
    ],
    async (on) => {
      const record = recordOf(await launch(on));
      checkEqual(Object.keys(record), ['launch_url'], 'the fields');
      await opens(textOf(record, 'launch_url'));
    },
  ),

  trial('in XML and CSV as well', ['decision 20', 'api-v2: General rules, 1'], async (on) => {
    const path = `/registration/${await registered(on)}/launch_url`;
    const xml = await on.api.get(`${path}.xml`, on.realm);
    checkStatus(xml, 200);
    check(URL.canParse(parseXml(xml.text).textOf('launch-url') ?? ''), 'no address in XML');
    const csv = await on.api.get(`${path}.csv`, on.realm);
    check(URL.canParse(parseCsv(csv.text)[0]?.['launch_url'] ?? ''), 'no address in CSV');
  }),

  trial(
    'every launch has an address of its own',
    ['api-v2: Registration: launch_url, unique and transient'],
    async (on) => {
      const first = textOf(recordOf(await launch(on)), 'launch_url');
      const second = textOf(recordOf(await launch(on)), 'launch_url');
      check(first !== second, 'the same address twice');
    },
  ),

  trial(
    'it stamps launched_at',
    ['decision 20', 'api-v2: Registration record, launched_at'],
    async (on) => {
      const id = await on.register(await on.course());
      const read = async () =>
        onlyRecordOf(await on.api.get('/registration.json', { ...on.realm, id }))['launched_at'];
      checkEqual(await read(), null, 'launched_at before');
      checkStatus(await on.api.get(`/registration/${id}/launch_url.json`, on.realm), 200);
      check(isTimestamp(await read()), 'launched_at is not set after');
    },
  ),

  trial(
    'review opens the course for reading',
    ['api-v2: Registration: launch_url, review'],
    async (on) => {
      await opens(textOf(recordOf(await launch(on, { review: 't' })), 'launch_url'));
      checkRefused(await launch(on, { review: 'perhaps' }), 500);
    },
  ),

  trial(
    'redirect_url is taken when it is an address for a browser',
    ['api-v2: Registration: launch_url, redirect_url', 'api-v2: Registration: launch_url, 500'],
    async (on) => {
      const redirect_url = 'https://example.com/back?course=1&lang=de#end';
      await opens(textOf(recordOf(await launch(on, { redirect_url })), 'launch_url'));
      for (const wrong of ['no address', '/back', 'javascript:alert(1)']) {
        checkRefused(await launch(on, { redirect_url: wrong }), 500);
      }
    },
  ),

  trial(
    'tags are taken for the sake of older clients',
    ['api-v2: Registration: launch_url, tags'],
    async (on) => checkStatus(await launch(on, { tags: 'first,second' }), 200),
  ),

  trial(
    'launching is deprecated and taken',
    ['api-v2: Registration: launch_url, launching', 'api-v2: Versioning, launching'],
    async (on) => checkStatus(await launch(on, { launching: '1' }), 200),
  ),

  trial(
    'launch_url is refused without access',
    ['api-v2: Registration: launch_url, 401'],
    async (on) => {
      const path = `/registration/${await registered(on)}/launch_url.json`;
      checkRefused(await on.api.get(path, {}), 401);
    },
  ),

  trial(
    'an unknown registration is not found',
    ['decision 20', 'api-v2: Errors, 404'],
    async (on) => {
      const path = `/registration/${on.unique('unknown')}/launch_url.json`;
      checkRefused(await on.api.get(path, on.realm), 404);
    },
  ),

  trial(
    'launch_url refuses a parameter that it does not know',
    ['api-v2: Registration: launch_url, 500'],
    async (on) => checkRefused(await launch(on, { colour: 'blue' }), 500),
  ),
];
