import { beforeAll, describe, expect, it } from 'vitest';
import { changeRealmLimits, createRealm, shortenApiKey } from '@registrar/contracts';
import type { RunningSystem } from '@registrar/standalone/testing';
import { eventually, readPage } from '@registrar/testing';
import { randomUUID } from 'node:crypto';
import { asOperator } from './operator.ts';

const pageName = 'docs/troubleshooting.md';

/** A row of the table of mistakes. */
interface DocumentedMistake {
  readonly mistake: string;
  readonly status: number;
  /** `…` stands for what differs between requests. */
  readonly detail: string;
}

const documented: readonly DocumentedMistake[] = [
  ...readPage(pageName).matchAll(/^\| ([^|]+) \| (\d{3}) \| `([^|]+)` \|$/gm),
].map(([, mistake = '', status, detail = '']) => ({ mistake, status: Number(status), detail }));

/** What the requests need: credentials, and names of existing records. */
interface Facts {
  readonly base: string;
  readonly realm: string;
  readonly key: string;
  readonly readOnlyKey: string;
  readonly expiredKey: string;
  readonly limitedKey: string;
  readonly course: string;
  readonly courseId: number;
}

type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** The requests that make the documented mistakes, by their names. */
const requests: Readonly<Record<string, (send: Send, facts: Facts) => Promise<Response>>> = {
  'the suffix is mistyped': (send, { key }) => send(`/course.jsn?${key}`),
  'the path is mistyped': (send, { key }) => send(`/courses.json?${key}`),
  'the version is another one': (send, { key }) => send(`../v1/course.json?${key}`),
  'the method is `PATCH`': (send, { key }) => send(`/course/x.json?${key}`, { method: 'PATCH' }),
  'there is no key': (send) => send('/course.json'),
  'the key is in a header of another API': (send) =>
    send('/course.json', { headers: { 'x-api-key': 'a-key' } }),
  'the key is mistyped': (send) => send('/course.json?api_key=rgk_mistyped'),
  'the key has expired': (send, { expiredKey }) => send(`/course.json?${expiredKey}`),
  'the secret key of the realm is wrong': (send, { realm }) => send(`/course.json?${realm}x`),
  'two access modes are sent': (send, { realm, key }) => send(`/course.json?${key}&${realm}`),
  'a key with the permission `read` changes something': (send, { readOnlyKey }) =>
    send(`/template.json?name=x&${readOnlyKey}`, { method: 'POST' }),
  'the JSON is malformed': (send, { key }) => postJson(send, key, '{"name":"a",}'),
  'JSON is sent as a form, which is the default of curl': (send, { key }) =>
    postJson(send, key, '{"name":"a"}', 'application/x-www-form-urlencoded'),
  'JSON is sent as text': (send, { key }) => postJson(send, key, '{"name":"a"}', 'text/plain'),
  'the text is Latin-1': (send, { key }) =>
    send(`/template.json?${key}`, {
      method: 'POST',
      body: 'name=Z%FCrich',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
  'the course does not exist': (send, { key }) =>
    send(`/registration/gcreate.json?course_guid=no-such-course&learner_id=a@example.com&${key}`),
  'the numeric id of a course is sent in place of its GUID': (send, { key, courseId }) =>
    send(`/course/${courseId}.json?${key}`),
  'the name of a parameter is mistyped': (send, { key }) =>
    send(`/course.json?course_giud=a&${key}`),
  'a parameter is missing': (send, { key, course }) =>
    send(`/registration/gcreate.json?course_guid=${course}&${key}`),
  'a text is too long': (send, { key }) =>
    send(`/template.json?${key}`, {
      method: 'POST',
      body: new URLSearchParams({ name: 'x'.repeat(300) }),
    }),
  'a parameter is given twice': (send, { key }) => send(`/course.json?title=a&title=b&${key}`),
  'a list is not JSON': (send, { key }) =>
    send(`/invitation/add_learners.json?name=x&learners=a@example.com,b@example.com&${key}`),
  'the file precedes the key in the form': (send, { key }) =>
    send('/course.json', { method: 'POST', body: packageForm(key, 'zip', 'file first') }),
  'the package is no zip': (send, { key }) =>
    send('/course.json', { method: 'POST', body: packageForm(key, 'no zip', 'key first') }),
  'the key sends more requests than it may': async (send, { limitedKey }) => {
    for (;;) {
      const response = await send(`/realm_user.json?${limitedKey}`);
      if (response.status !== 200) return response;
      await response.arrayBuffer();
    }
  },
  'an idempotency key returns with other parameters': async (send, { key }) => {
    const init = { method: 'POST', headers: { 'idempotency-key': randomUUID() } };
    const first = await send(`/template.json?name=${randomUUID()}&${key}`, init);
    expect(first.status).toBe(201);
    return send(`/template.json?name=${randomUUID()}&${key}`, init);
  },
};

const postJson = (send: Send, key: string, body: string, type = 'application/json') =>
  send(`/template.json?${key}`, { method: 'POST', body, headers: { 'content-type': type } });

function packageForm(key: string, content: string, order: 'key first' | 'file first'): FormData {
  const form = new FormData();
  const [name = '', value = ''] = key.split('=');
  if (order === 'key first') form.set(name, value);
  form.set('file', new Blob([content]), 'course.zip');
  if (order === 'file first') form.set(name, value);
  return form;
}

/** Checks what a client that asks for problems reads after each mistake of the page. */
export function describeMistakes(running: () => RunningSystem): void {
  describe('a mistake that docs/troubleshooting.md names', () => {
    let facts: Facts;
    const send: Send = (path, init = {}) => {
      const url = path.startsWith('/') ? facts.base + path : new URL(path, `${facts.base}/`).href;
      const headers = { ...init.headers, accept: 'application/json, application/problem+json' };
      return fetch(url, { ...init, headers });
    };
    beforeAll(async () => {
      facts = await prepare(running());
    });

    it('every mistake of docs/troubleshooting.md has a request', () => {
      const names = documented.map(({ mistake }) => mistake);
      expect(names.toSorted()).toEqual(Object.keys(requests).toSorted());
    });

    it.each(documented)('$mistake: returns $status with its cause', async (row) => {
      const response = await requests[row.mistake]!(send, facts);
      const text = await response.text();
      expect([response.status, response.headers.get('content-type'), text]).toEqual([
        row.status,
        'application/problem+json',
        expect.any(String),
      ]);
      const { detail } = JSON.parse(text) as { detail: string };
      expect(detail).toMatch(patternOf(row.detail));
      expect(text).not.toContain(running().quickstart.realm_secret_key);
    });
  });
}

const patternOf = (detail: string) =>
  new RegExp(
    `^${detail
      .split('…')
      .map((part) => RegExp.escape(part))
      .join('.+')}$`,
    's',
  );

async function prepare(system: RunningSystem): Promise<Facts> {
  const { base_url: base, realm_guid, realm_secret_key, course_guid: course } = system.quickstart;
  const realm = new URLSearchParams({ realm_guid, realm_secret_key }).toString();
  const createKey = async (more = '', pair = realm) => {
    const response = await fetch(`${base}/api_key.json?${pair}${more}`, { method: 'POST' });
    const { id, access_token } = (await response.json()) as { id: number; access_token: string };
    return { id, parameter: `api_key=${access_token}` };
  };
  const expiring = await createKey();
  const limited = await asOperator(system, async (bus) => {
    await bus.request(shortenApiKey, { apiKeyId: expiring.id, inSeconds: 0 });
    const created = await bus.request(createRealm, { name: randomUUID() });
    const { realmGuid, realmSecretKey } = created;
    const changes = { requestsPerSecondOfKey: 1 };
    await bus.request(changeRealmLimits, { realmGuid, changes, fromDefaults: false });
    return new URLSearchParams({ realm_guid: realmGuid, realm_secret_key: realmSecretKey });
  });
  const key = (await createKey()).parameter;
  await eventually('the key has expired', async () => {
    const { status } = await fetch(`${base}/course.json?${expiring.parameter}`);
    return status === 401;
  });
  const courses = await fetch(`${base}/course.json?course_guid=${course}&${key}`);
  const [{ id: courseId } = { id: 0 }] = (await courses.json()) as { id: number }[];
  return {
    base,
    realm,
    key,
    readOnlyKey: (await createKey('&permissions=read')).parameter,
    expiredKey: expiring.parameter,
    limitedKey: (await createKey('', limited.toString())).parameter,
    course,
    courseId,
  };
}
