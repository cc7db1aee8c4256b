import {
  check,
  checkEqual,
  checkRefused,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { trial } from '../conformance-case.ts';
import type { Installation } from '../installation.ts';

const made = async (on: Installation, more: Parameters = {}) => {
  const parameters = { ...on.realm, name: on.unique('template'), body: '<p>Hello</p>', ...more };
  return recordOf(await on.api.post('/template.json', parameters), 201);
};

const fields = 'body created_at id markup mimetype name realm_id updated_at';

export const templateCases = [
  trial(
    'GET /template lists the templates of the realm',
    [
      'api-v2: Template, GET /template',
      'api-v2: Template, 200',
      'api-v2: Template, access',
      'api-v2: Operation names, index',
      'api-v2: Other resources, template',
    ],
    async (on) => {
      const { name } = await made(on);
      const user = await on.userKey(on.learner());
      for (const access of [on.realm, await on.realmKey(), user]) {
        const names = valuesOf(await on.api.get('/template.json', access), 'name');
        check(names.includes(name), 'the index lacks it');
      }
    },
  ),

  trial('the template record has these fields', ['decision 26'], async (on) => {
    const record = await made(on, { markup: 'html', mimetype: 'text/html' });
    checkEqual(Object.keys(record).toSorted().join(' '), fields, 'the fields');
    check(Number.isInteger(record['id']) && Number.isInteger(record['realm_id']), 'the ids');
    check(isTimestamp(record['created_at']) && isTimestamp(record['updated_at']), 'the times');
    const texts = [record['body'], record['markup'], record['mimetype']];
    checkEqual(texts, ['<p>Hello</p>', 'html', 'text/html'], 'the texts');
  }),

  ...(['name', 'markup', 'mimetype'] as const).map((filter) =>
    trial(
      `GET /template filters by ${filter}`,
      [`api-v2: Template, ${filter}`, 'api-v2: Other resources, template'],
      async (on) => {
        const value = on.unique(filter);
        const { id } = await made(on, { [filter]: value });
        await made(on);
        const one = { ...on.realm, [filter]: value };
        checkEqual(onlyRecordOf(await on.api.get('/template.json', one))['id'], id, 'id');
        const none = { ...on.realm, [filter]: on.unique('unknown') };
        checkEqual(recordsOf(await on.api.get('/template.json', none)), [], 'of an unknown one');
      },
    ),
  ),

  trial(
    'GET /template is refused without access, and with parameters that it does not know',
    ['api-v2: Template, 401', 'api-v2: Template, 500'],
    async (on) => {
      checkRefused(await on.api.get('/template.json', {}), 401);
      checkRefused(await on.api.get('/template.json', { ...on.realm, colour: 'blue' }), 500);
    },
  ),

  ...(
    [
      ['POST', '/template.json'],
      ['GET', '/template/gcreate.json'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `${method} ${path} makes a template, once`,
      ['decision 26', 'api-v2: Operation names, create'],
      async (on) => {
        const name = on.unique('created');
        const query = { ...on.realm, name, body: 'first', markup: 'text', mimetype: 'text/plain' };
        checkEqual(recordOf(await on.api.send(method, path, { query }), 201)['name'], name, 'name');
        const again = { ...query, body: 'second' };
        const answer = await on.api.send(method, path, { query: again });
        checkRefused(answer, 302);
        const kept = onlyRecordOf(await on.api.get('/template.json', { ...on.realm, name }));
        checkEqual(kept['body'], 'first', 'body');
        checkRefused(await on.api.send(method, path, { query: { ...on.realm, body: 'x' } }), 500);
      },
    ),
  ),

  ...(
    [
      ['PUT', '/template/'],
      ['POST', '/template/'],
      ['GET', '/template/gupdate/'],
    ] as const
  ).map(([method, path]) =>
    trial(
      `${method} ${path}:id updates a template`,
      [
        'decision 26',
        'api-v2: Template, update',
        'api-v2: Operation names, update',
        'api-v2: Operation names, gcreate and gupdate',
      ],
      async (on) => {
        const { id, name } = await made(on, { markup: 'html' });
        const update = (item: string, more: Parameters) =>
          on.api.send(method, `${path}${item}.json`, { query: { ...on.realm, ...more } });
        const record = recordOf(await update(String(id), { body: 'new' }));
        const texts = [record['name'], record['body'], record['markup']];
        checkEqual(texts, [name, 'new', 'html'], 'the record');
        checkRefused(await update('2147483647', { body: 'x' }), 404);
        checkRefused(await update(String(id), { colour: 'blue' }), 500);
      },
    ),
  ),

  trial('a user’s key reads templates and changes none', ['decision 14'], async (on) => {
    const key = await on.userKey(on.learner());
    checkStatus(await on.api.get('/template.json', key), 200);
    const name = on.unique('template');
    checkRefused(await on.api.post('/template.json', { ...key, name, body: 'x' }), 401);
  }),
];
