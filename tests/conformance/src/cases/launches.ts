import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  textOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, SkippedCase, transportCase } from '../conformance-case.ts';
import { fetchLaunch } from '../fetch-launch.ts';
import type { Installation } from '../installation.ts';
import { parseCsv, parseXml } from '../readers.ts';

const registered = (target: Installation) =>
  target.once('registration to launch', async () => target.register(await target.course()));

const launch = async (target: Installation, more: Parameters = {}) =>
  target.api.get(`/registration/${await registered(target)}/launch_url.json`, {
    ...target.realm,
    ...more,
  });

/** @throws when the launch URL does not open; its page is not read */
async function opens(url: string): Promise<void> {
  const response = await fetchLaunch(url);
  await response.body?.cancel();
  checkEqual(response.status, 200, `the status of ${new URL(url).origin}`);
}

export const launchCases = [
  transportCase(
    'launch_url returns one record whose URL opens',
    [
      'contract/registrations#launch-route',
      'contract/registrations#launch-record',
      'contract/registrations#launch-once',
    ],
    async (target) => {
      const record = recordOf(await launch(target));
      checkEqual(Object.keys(record), ['launch_url'], 'the fields');
      await opens(textOf(record, 'launch_url'));
    },
  ),

  conformanceCase(
    'a launched course may be framed by every page, and sets no cookie',
    ['contract/registrations#embed-any-page'],
    async (target) => {
      for (const redirect of ['manual', 'follow'] as const) {
        const url = textOf(recordOf(await launch(target)), 'launch_url');
        const { headers, body } = await fetchLaunch(url, { redirect });
        await body?.cancel();
        checkEqual(headers.get('x-frame-options'), null, 'X-Frame-Options');
        checkEqual(headers.get('set-cookie'), null, 'Set-Cookie');
        const policy = headers.get('content-security-policy') ?? '';
        check(!policy.includes('frame-ancestors'), `the policy is ${policy}`);
      }
    },
  ),

  conformanceCase(
    'launch_url returns XML and CSV',
    ['contract/registrations#launch-route', 'contract/formats#suffix'],
    async (target) => {
      const path = `/registration/${await registered(target)}/launch_url`;
      const xml = await target.api.get(`${path}.xml`, target.realm);
      checkStatus(xml, 200);
      check(URL.canParse(parseXml(xml.text).textOf('launch-url') ?? ''), 'XML has no URL');
      const csv = await target.api.get(`${path}.csv`, target.realm);
      check(URL.canParse(parseCsv(csv.text)[0]?.['launch_url'] ?? ''), 'CSV has no URL');
    },
  ),

  conformanceCase(
    'every launch has a URL of its own',
    ['contract/registrations#launch-once', 'contract/errors#idempotency-reads'],
    async (target) => {
      const first = textOf(recordOf(await launch(target)), 'launch_url');
      const second = textOf(recordOf(await launch(target)), 'launch_url');
      check(first !== second, 'both URLs are the same');
    },
  ),

  conformanceCase(
    'a launch URL opens one window, which can be reloaded',
    ['contract/registrations#launch-opens-once'],
    async (target) => {
      const redirect_url = 'https://example.com/my-courses';
      const url = textOf(recordOf(await launch(target, { redirect_url })), 'launch_url');
      const followed = await fetchLaunch(url, { redirect: 'manual' });
      const window = new URL(followed.headers.get('location') ?? '', url).href;
      await opens(window);
      await opens(window);
      const again = await fetchLaunch(url, { redirect: 'manual' });
      checkEqual(again.status, 410, 'the status of the second use');
      check((await again.text()).includes(redirect_url), 'the notice has no way back');
    },
  ),

  conformanceCase(
    'each registration has an origin of its own, and the same for all of its launches',
    ['contract/registrations#launch-origin'],
    async (target) => {
      const hostOf = async (id: string) => {
        const answer = await target.api.get(`/registration/${id}/launch_url.json`, target.realm);
        return new URL(textOf(recordOf(answer), 'launch_url')).host;
      };
      const id = await registered(target);
      const host = await hostOf(id);
      checkEqual(await hostOf(id), host, 'the host of a second launch');
      const other = await hostOf(await target.register(await target.course()));
      if (other === host) throw new SkippedCase('all launches share an origin: no wildcard');
    },
  ),

  transportCase(
    'launch_url sets launched_at',
    ['contract/registrations#launch-stamp', 'contract/registrations#record-launched-at'],
    async (target) => {
      const id = await target.register(await target.course());
      const read = async () =>
        onlyRecordOf(await target.api.get('/registration.json', { ...target.realm, id }))[
          'launched_at'
        ];
      checkEqual(await read(), null, 'launched_at before');
      checkStatus(await target.api.get(`/registration/${id}/launch_url.json`, target.realm), 200);
      check(isTimestamp(await read()), 'launched_at is not set after');
    },
  ),

  conformanceCase(
    'review opens the course for review',
    ['contract/registrations#review'],
    async (target) => {
      await opens(textOf(recordOf(await launch(target, { review: 't' })), 'launch_url'));
      checkError(await launch(target, { review: 'perhaps' }), 500);
    },
  ),

  conformanceCase(
    'redirect_url must be an http or https address',
    ['contract/registrations#redirect-url', 'contract/registrations#launch-500'],
    async (target) => {
      const redirect_url = 'https://example.com/back?course=1&lang=de#end';
      await opens(textOf(recordOf(await launch(target, { redirect_url })), 'launch_url'));
      for (const wrong of ['no address', '/back', 'javascript:alert(1)']) {
        checkError(await launch(target, { redirect_url: wrong }), 500);
      }
    },
  ),

  conformanceCase('launch_url accepts tags', ['contract/registrations#tags'], async (target) =>
    checkStatus(await launch(target, { tags: 'first,second' }), 200),
  ),

  conformanceCase(
    'launch_url accepts launching',
    ['contract/registrations#launching'],
    async (target) => checkStatus(await launch(target, { launching: '1' }), 200),
  ),

  conformanceCase(
    'launch_url returns 401 without access',
    ['contract/access#one-mode', 'contract/errors#status-401'],
    async (target) => {
      const path = `/registration/${await registered(target)}/launch_url.json`;
      checkError(await target.api.get(path, {}), 401);
    },
  ),

  transportCase(
    'launch_url returns 404 for an unknown registration',
    ['contract/registrations#launch-404', 'contract/errors#status-404'],
    async (target) => {
      const path = `/registration/${target.unique('unknown')}/launch_url.json`;
      checkError(await target.api.get(path, target.realm), 404);
    },
  ),

  conformanceCase(
    'launch_url returns 500 for an unknown parameter',
    ['contract/registrations#launch-500'],
    async (target) => checkError(await launch(target, { color: 'blue' }), 500),
  ),
];
