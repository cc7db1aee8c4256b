import {
  check,
  checkEqual,
  checkError,
  checkStatus,
  isTimestamp,
  onlyRecordOf,
  recordOf,
  recordsOf,
  valuesOf,
} from '../checks.ts';
import type { Parameters } from '../client.ts';
import { conformanceCase, transportCase } from '../conformance-case.ts';
import { kebabCase, ruleOf } from '../contract.ts';
import type { Installation } from '../installation.ts';

const createTemplate = async (target: Installation, more: Parameters = {}) => {
  const parameters = {
    ...target.realm,
    name: target.unique('template'),
    body: '<p>Hello</p>',
    ...more,
  };
  return recordOf(await target.api.post('/template.json', parameters), 201);
};

const fields = ['body', 'created_at', 'id', 'markup', 'mimetype', 'name', 'realm_id', 'updated_at'];

export const templateCases = [
  transportCase(
    'GET /template lists the templates of the realm',
    [
      'contract/templates#index-route',
      'contract/templates#index-access',
      'contract/formats#operation-index',
    ],
    async (target) => {
      const { name } = await createTemplate(target);
      const user = await target.userKey(target.learner());
      for (const access of [target.realm, await target.realmKey(), user]) {
        const names = valuesOf(await target.api.get('/template.json', access), 'name');
        check(names.includes(name), 'the index does not list the template');
      }
    },
  ),

  conformanceCase(
    'the template record has these fields',
    [...fields.map((name) => ruleOf('templates', `record-${kebabCase(name)}`))],
    async (target) => {
      const record = await createTemplate(target, { markup: 'html', mimetype: 'text/html' });
      checkEqual(Object.keys(record).toSorted(), fields, 'the fields');
      check(
        Number.isInteger(record['id']) && Number.isInteger(record['realm_id']),
        'an id is no integer',
      );
      check(
        isTimestamp(record['created_at']) && isTimestamp(record['updated_at']),
        'a timestamp is malformed',
      );
      const texts = [record['body'], record['markup'], record['mimetype']];
      checkEqual(texts, ['<p>Hello</p>', 'html', 'text/html'], 'body, markup and mimetype');
    },
  ),

  ...(['name', 'markup', 'mimetype'] as const).map((filter) =>
    conformanceCase(
      `GET /template filters by ${filter}`,
      [ruleOf('templates', `filter-${filter}`)],
      async (target) => {
        const value = target.unique(filter);
        const { id } = await createTemplate(target, { [filter]: value });
        await createTemplate(target);
        const one = { ...target.realm, [filter]: value };
        checkEqual(onlyRecordOf(await target.api.get('/template.json', one))['id'], id, 'id');
        const none = { ...target.realm, [filter]: target.unique('unknown') };
        checkEqual(
          recordsOf(await target.api.get('/template.json', none)),
          [],
          'templates with an unknown value',
        );
      },
    ),
  ),

  conformanceCase(
    'GET /template returns 401 without access and 500 for an unknown parameter',
    ['contract/templates#index-access', 'contract/parameters#unknown-parameter'],
    async (target) => {
      checkError(await target.api.get('/template.json', {}), 401);
      checkError(await target.api.get('/template.json', { ...target.realm, color: 'blue' }), 500);
    },
  ),

  ...(
    [
      ['POST', '/template.json'],
      ['GET', '/template/gcreate.json'],
    ] as const
  ).map(([method, path]) =>
    transportCase(
      `${method} ${path} creates a template, and returns 302 for a second of its name`,
      [
        'contract/templates#create-routes',
        'contract/templates#create-name',
        'contract/templates#create-texts',
        'contract/templates#create-302',
        'contract/templates#create-500',
        'contract/errors#status-302',
        'contract/formats#operation-create',
      ],
      async (target) => {
        const name = target.unique('created');
        const query = {
          ...target.realm,
          name,
          body: 'first',
          markup: 'text',
          mimetype: 'text/plain',
        };
        checkEqual(
          recordOf(await target.api.send(method, path, { query }), 201)['name'],
          name,
          'name',
        );
        const again = { ...query, body: 'second' };
        const response = await target.api.send(method, path, { query: again });
        checkError(response, 302);
        const kept = onlyRecordOf(
          await target.api.get('/template.json', { ...target.realm, name }),
        );
        checkEqual(kept['body'], 'first', 'body');
        checkError(
          await target.api.send(method, path, { query: { ...target.realm, body: 'x' } }),
          500,
        );
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
    transportCase(
      `${method} ${path}:id updates a template`,
      [
        'contract/templates#update-routes',
        'contract/templates#update-fields',
        'contract/templates#update-404',
        'contract/formats#operation-update',
        'contract/formats#operation-aliases',
      ],
      async (target) => {
        const { id, name } = await createTemplate(target, { markup: 'html' });
        const update = (item: string, more: Parameters) =>
          target.api.send(method, `${path}${item}.json`, { query: { ...target.realm, ...more } });
        const record = recordOf(await update(String(id), { body: 'new' }));
        const texts = [record['name'], record['body'], record['markup']];
        checkEqual(texts, [name, 'new', 'html'], 'the record');
        checkError(await update('2147483647', { body: 'x' }), 404);
        checkError(await update(String(id), { color: 'blue' }), 500);
      },
    ),
  ),

  conformanceCase(
    'a user-bound key reads templates and cannot change them',
    ['contract/access#user-key-templates'],
    async (target) => {
      const key = await target.userKey(target.learner());
      checkStatus(await target.api.get('/template.json', key), 200);
      const name = target.unique('template');
      checkError(await target.api.post('/template.json', { ...key, name, body: 'x' }), 401);
    },
  ),

  conformanceCase(
    'GET /template/gupdate finds the template by name',
    ['contract/templates#update-by-name'],
    async (target) => {
      const { id, name } = await createTemplate(target);
      const query = { ...target.realm, name: String(name), body: 'By name' };
      const record = recordOf(await target.api.get('/template/gupdate.json', query));
      checkEqual([record['id'], record['body']], [id, 'By name'], 'the record');
      const unknown = { ...query, name: target.unique('unknown') };
      checkError(await target.api.get('/template/gupdate.json', unknown), 404);
    },
  ),
];
