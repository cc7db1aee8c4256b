import {
  checkEqual,
  checkError,
  checkStatus,
  onlyRecordOf,
  recordOf,
  recordsOf,
} from '../checks.ts';
import { form, type Parameters } from '../client.ts';
import { conformanceCase } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

const newRegistration = async (target: Installation): Promise<Parameters> => ({
  ...target.realm,
  course_guid: await target.course(),
  learner_id: target.learner(),
});

/** Parameters (docs/contract/parameters.md) and the order of checks. */
export const parameterCases = [
  conformanceCase(
    'POST takes parameters from the query string',
    ['contract/parameters#query-string'],
    async (target) => {
      const parameters = await newRegistration(target);
      const response = await target.api.send('POST', '/registration.json', { query: parameters });
      checkEqual(recordOf(response, 201)['learner_id'], parameters['learner_id'], 'learner_id');
    },
  ),

  conformanceCase(
    'POST takes parameters from a form',
    ['contract/parameters#body-form'],
    async (target) => {
      const parameters = await newRegistration(target);
      const response = await target.api.post('/registration.json', parameters);
      checkEqual(recordOf(response, 201)['learner_id'], parameters['learner_id'], 'learner_id');
    },
  ),

  conformanceCase(
    'POST takes parameters from a multipart form',
    ['contract/parameters#body-multipart'],
    async (target) => {
      const parameters = await newRegistration(target);
      const response = await target.api.postMultipart('/registration.json', parameters);
      checkEqual(recordOf(response, 201)['learner_id'], parameters['learner_id'], 'learner_id');
    },
  ),

  conformanceCase(
    'POST takes parameters from a JSON object',
    ['contract/parameters#body-json'],
    async (target) => {
      const parameters = await newRegistration(target);
      const response = await target.api.postJson('/registration.json', parameters);
      checkEqual(recordOf(response, 201)['learner_id'], parameters['learner_id'], 'learner_id');
    },
  ),

  conformanceCase(
    'text that is not UTF-8 returns 500 wherever it stands, and stores nothing',
    ['contract/parameters#encoding'],
    async (target) => {
      const name = target.unique('latin');
      const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
      const post = (query: string, type: string, body: string) =>
        fetch(`${target.facts.base_url}/template.json?${form(target.realm).toString()}${query}`, {
          method: 'POST',
          body: latin(body),
          headers: { 'content-type': type },
        });
      const urlEncoded = 'application/x-www-form-urlencoded';
      const multipart = 'multipart/form-data; boundary=x';
      const part = (field: string, value: string) =>
        `--x\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
      const responses = [
        await post('&body=Z%FCrich', urlEncoded, `name=${name}`),
        await post('', urlEncoded, `name=${name}&body=Z%FCrich`),
        await post('', urlEncoded, `name=${name}&body=Zürich`),
        await post('', 'application/json', `{"name":"${name}","body":"Zürich"}`),
        await post('', 'application/json', `{"name":"${name}","body":"\\ud800"}`),
        await post('', multipart, `${part('name', name)}${part('body', 'Zürich')}--x--\r\n`),
      ];
      for (const response of responses) checkEqual(response.status, 500, 'status');
      const unknownKey = await fetch(`${target.facts.base_url}/template.json?api_key=%ff`);
      checkEqual(unknownKey.status, 401, 'the status of a key that is not UTF-8');
      checkEqual(
        recordsOf(await target.api.get('/template.json', { ...target.realm, name })),
        [],
        'templates',
      );
      const correct = await post('', urlEncoded, `name=${name}&body=Z%C3%BCrich+%EF%BF%BD`);
      checkEqual(correct.status, 201, 'the status of UTF-8');
      const stored = onlyRecordOf(
        await target.api.get('/template.json', { ...target.realm, name }),
      );
      checkEqual(stored['body'], 'Zürich \ufffd', 'body');
    },
  ),

  conformanceCase(
    'charset states another encoding of a body, and an unknown one returns 500',
    ['contract/parameters#encoding-charset'],
    async (target) => {
      const post = async (charset: string) => {
        const name = target.unique('charset');
        const body = new Uint8Array(Buffer.from(`{"name":"${name}","body":"Zürich"}`, 'latin1'));
        const headers = { 'content-type': `application/json; charset=${charset}` };
        return target.api.send('POST', '/template.json', { query: target.realm, body, headers });
      };
      for (const charset of ['ISO-8859-1', '"windows-1252"']) {
        checkEqual(recordOf(await post(charset), 201)['body'], 'Zürich', 'body');
      }
      for (const charset of ['utf-8', 'utf-16', 'no-such-charset']) {
        checkError(await post(charset), 500);
      }
      const name = target.unique('charset');
      const encoded = await target.api.send('POST', '/template.json', {
        query: target.realm,
        body: `name=${name}&body=Z%FCrich`,
        headers: { 'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1' },
      });
      checkEqual(recordOf(encoded, 201)['body'], 'Zürich', 'body');
    },
  ),

  conformanceCase(
    'POST combines parameters of the query string and the body',
    ['contract/parameters#query-and-body'],
    async (target) => {
      const parameters = await newRegistration(target);
      const response = await target.api.post('/registration.json', parameters, {
        fname: 'Learner',
      });
      recordOf(response, 201);
    },
  ),

  conformanceCase(
    'a value that is repeated in query string and body counts once',
    ['contract/parameters#repeated-value'],
    async (target) => {
      const parameters = await newRegistration(target);
      const { course_guid = '' } = parameters;
      recordOf(await target.api.post('/registration.json', parameters, { course_guid }), 201);
    },
  ),

  conformanceCase(
    'different values in query string and body return 500',
    ['contract/parameters#different-values'],
    async (target) => {
      const parameters = await newRegistration(target);
      const other = { learner_id: target.learner() };
      checkError(await target.api.post('/registration.json', parameters, other), 500);
    },
  ),

  conformanceCase(
    'a body that cannot be parsed returns 500',
    ['contract/parameters#unreadable-body'],
    async (target) => {
      const headers = { 'content-type': 'application/json' };
      const parts = { query: target.realm, headers };
      const broken = await target.api.send('POST', '/course.json', {
        ...parts,
        body: '{"a":',
      });
      checkError(broken, 500);
      const list = await target.api.send('POST', '/course.json', { ...parts, body: '[1]' });
      checkError(list, 500);
      // Bytes get no Content-Type of their own.
      const bytes = { query: target.realm, body: new TextEncoder().encode('a=1') };
      checkError(await target.api.send('POST', '/course.json', bytes), 500);
      const xml = { ...bytes, headers: { 'content-type': 'text/xml' } };
      checkError(await target.api.send('POST', '/course.json', xml), 500);
    },
  ),

  conformanceCase(
    'more than 1000 values, long names, deep JSON and two files return 500',
    ['contract/parameters#limits'],
    async (target) => {
      const send = async (body: RequestInit['body'], status: number, type?: string) => {
        const headers: Record<string, string> = type ? { 'content-type': type } : {};
        const query = target.realm;
        const response = await target.api.send('POST', '/course.json', {
          query,
          body,
          headers,
        });
        checkError(response, status);
      };
      const form = 'application/x-www-form-urlencoded';
      await send('bogus=1&'.repeat(1_001), 500, form);
      await send(`${'n'.repeat(256)}=1`, 500, form);
      await send(`{"custom":${'['.repeat(101)}${']'.repeat(101)}}`, 500, 'application/json');
      const files = new FormData();
      for (const name of ['one', 'two']) files.append('file', new Blob(['PK']), name);
      await send(files, 500);
    },
  ),

  conformanceCase(
    'a body of more than 64 KiB needs access in the query string, and a form has at most 8 MiB',
    ['contract/parameters#body-length'],
    async (target) => {
      const register = async (query: typeof target.realm, length: number) => {
        const parameters = new URLSearchParams({ ...target.realm, custom: '{}' });
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        // Of values that are given twice, one counts.
        const value = `&_=${'x'.repeat(30_000)}`;
        const body = `${parameters.toString()}${value.repeat(Math.ceil(length / value.length))}`;
        return target.api.send('PUT', '/registration/unknown.json', { query, headers, body });
      };
      checkError(await register({}, 30_000), 404);
      checkError(await register({}, 80_000), 500);
      checkError(await register(target.realm, 80_000), 404);
      checkError(await register(target.realm, 8_500_000), 500);
    },
  ),

  conformanceCase(
    'the last one of several members of the same name counts',
    ['contract/parameters#repeated-member'],
    async (target) => {
      const { learner_id = '', ...parameters } = await newRegistration(target);
      const members = JSON.stringify({ ...parameters, learner_id }).slice(1);
      const response = await target.api.send('POST', '/registration.json', {
        headers: { 'content-type': 'application/json' },
        body: `{"learner_id":"other@example.com",${members}`,
      });
      checkEqual(recordOf(response, 201)['learner_id'], learner_id, 'learner_id');
    },
  ),

  ...['t', 'true', '1', 'T', 'TRUE', 'yes', 'on'].map((yes) =>
    conformanceCase(
      `the flag ${yes} is true`,
      ['contract/parameters#flag-true'],
      async (target) => {
        const learner_id = target.learner();
        await target.register(await target.course(), learner_id);
        const last = await target.register(await target.course(), learner_id);
        const query = { ...target.realm, learner_id, last_only: yes };
        const found = onlyRecordOf(await target.api.get('/registration.json', query));
        checkEqual(found['registration_guid'], last, 'the registration found');
      },
    ),
  ),

  conformanceCase(
    'the flags f, false, 0, no, off and the empty string are false',
    ['contract/parameters#flag-false'],
    async (target) => {
      const learner_id = target.learner();
      const first = await target.register(await target.course(), learner_id);
      for (const dont_duplicate of ['f', 'false', '0', '', 'FALSE', 'no', 'off']) {
        const another = await target.register(await target.course(), learner_id, {
          dont_duplicate,
        });
        checkEqual(
          another === first,
          false,
          `dont_duplicate=${dont_duplicate} created no registration`,
        );
      }
    },
  ),

  conformanceCase(
    'any other value of a flag returns 500',
    ['contract/parameters#flag-malformed', 'contract/errors#status-500'],
    async (target) => {
      for (const last_only of ['perhaps', 'y', '2', 'null']) {
        checkError(await target.api.get('/registration.json', { ...target.realm, last_only }), 500);
      }
    },
  ),

  conformanceCase(
    'an unknown parameter returns 500',
    ['contract/parameters#unknown-parameter', 'contract/errors#status-500'],
    async (target) => {
      const color = { ...target.realm, color: 'blue' };
      for (const path of ['/course.json', '/registration.json', '/template.json']) {
        checkError(await target.api.get(path, color), 500);
      }
      checkError(await target.api.post('/api_key.json', color), 500);
      checkError(await target.api.get('/course.json', { ...target.realm, learner_id: 'x' }), 500);
    },
  ),

  conformanceCase(
    'every operation accepts the general parameters',
    ['contract/parameters#general-parameters'],
    async (target) => {
      const general = {
        format: 'json',
        fields: 'id',
        template: 'public',
        api_template: 'public',
        callback: 'show',
        _: '1700000000000',
      };
      for (const [name, value] of Object.entries(general)) {
        for (const path of ['/course.json', '/registration.json']) {
          checkStatus(await target.api.get(path, { ...target.realm, [name]: value }), 200);
        }
      }
    },
  ),

  conformanceCase(
    'the format is checked before the access mode',
    ['contract/errors#order-of-checks', 'contract/errors#status-406'],
    async (target) => {
      checkError(await target.api.get('/course.pdf', {}), 406);
      checkError(
        await target.api.get('/course.pdf', { ...target.realm, ...target.application }),
        406,
      );
      checkError(await target.api.get('/course', { format: 'pdf' }), 406);
    },
  ),

  conformanceCase(
    'two access modes are reported before a wrong one',
    ['contract/errors#order-of-checks'],
    async (target) => {
      const both = { realm_guid: 'wrong', realm_secret_key: 'wrong', api_key: 'wrong' };
      checkError(await target.api.get('/course.json', both), 501);
    },
  ),

  conformanceCase(
    'the access mode is checked before the parameters',
    ['contract/errors#order-of-checks'],
    async (target) => {
      checkError(await target.api.get('/course.json', { color: 'blue' }), 401);
      const two = { ...target.realm, ...target.application, color: 'blue' };
      checkError(await target.api.get('/course.json', two), 501);
    },
  ),

  conformanceCase(
    'access that the operation does not allow is reported before malformed parameters',
    ['contract/errors#order-of-checks', 'contract/access#user-key-administration'],
    async (target) => {
      const key = await target.userKey(target.learner());
      const color = { ...key, color: 'blue' };
      checkError(await target.api.get('/invitation.json', color), 401);
      checkError(await target.api.post('/invitation.json', key), 401);
      checkError(await target.api.post('/course.json', key), 401);
      checkError(await target.api.post('/api_key.json', { ...key, user_email: 'nobody' }), 401);
      const another = { ...color, learner_id: target.learner() };
      checkError(await target.api.get('/registration.json', another), 401);
    },
  ),

  conformanceCase(
    'POST with _method=put is a PUT',
    ['contract/parameters#method-override'],
    async (target) => {
      const email = target.learner();
      const user = { ...target.realm, email };
      checkStatus(await target.api.post('/realm_user.json', user), 201);
      const custom = '{"group":"b"}';
      for (const _method of ['put', 'PUT']) {
        const updated = await target.api.post('/realm_user.json', { ...user, custom, _method });
        checkEqual(recordOf(updated)['custom'], custom, 'custom');
      }
      checkError(await target.api.post('/realm_user.json', { ...user, _method: 'turn' }), 500);
      checkError(await target.api.get('/realm_user.json', { ...user, _method: 'put' }), 500);
    },
  ),

  conformanceCase(
    'every operation accepts host_url',
    ['contract/parameters#host-url'],
    async (target) => {
      const host = { ...target.realm, host_url: 'https://client.example.com' };
      for (const path of ['/course.json', '/registration.json', '/api_key/gcreate.json']) {
        const { status, request } = await target.api.get(path, host);
        checkEqual(status, path.includes('gcreate') ? 201 : 200, request);
      }
    },
  ),

  conformanceCase(
    'the parameters are checked before the named item',
    ['contract/errors#order-of-checks'],
    async (target) => {
      const unknown = { ...target.realm, course_guid: target.unique('unknown') };
      const malformed = { ...unknown, learner_id: 'no address' };
      checkError(await target.api.post('/registration.json', malformed), 500);
      checkError(
        await target.api.post('/registration.json', { ...unknown, learner_id: target.learner() }),
        404,
      );
      const nowhere = `/registration/${target.unique('unknown')}/launch_url.json`;
      checkError(await target.api.get(nowhere, { ...target.realm, color: 'blue' }), 500);
      checkError(await target.api.get(nowhere, target.realm), 404);
    },
  ),
];
