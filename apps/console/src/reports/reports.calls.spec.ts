import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  checkStoredQuery,
  deleteStoredQuery,
  listRunnableQueries,
  putStoredQuery,
  readQueryResult,
  runQuery,
} from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleFixture, ownRealm, startConsoleFixture } from '../console.fixture.ts';
import { operatorRoles, type RealmRole } from '../sessions/roles.ts';

const own = {
  id: 9,
  name: 'late_learners',
  query_scope: 'realm' as const,
  provider_application_id: null,
  sql: 'SELECT :days::integer AS days',
  parameters: ['days'],
};
const ofApplication = (application: number) => ({
  ...own,
  id: 10 + application,
  query_scope: 'provider' as const,
  provider_application_id: application,
});
const resultId = '7d1c0f9e-32b0-4d5a-9a5f-0f3f7ad61a01';

let console: ConsoleFixture;
const asked = {
  list: [] as InputOf<typeof listRunnableQueries>[],
  run: [] as InputOf<typeof runQuery>[],
  read: [] as InputOf<typeof readQueryResult>[],
  put: [] as InputOf<typeof putStoredQuery>[],
  delete: [] as InputOf<typeof deleteStoredQuery>[],
};

beforeAll(async () => {
  console = await startConsoleFixture({
    stubs: {
      enrolment: [
        stubReply(listRunnableQueries, async (input) => {
          asked.list.push(input);
          return { items: [own, ofApplication(1), ofApplication(2)], next: null };
        }),
        stubReply(checkStoredQuery, async ({ sql }) => ({
          problem: sql === 'WRONG' ? { message: 'syntax error', offset: 0 } : null,
        })),
        stubReply(putStoredQuery, async (input) => {
          asked.put.push(input);
          return { ...own, name: input.name, realm_id: input.realmId };
        }),
        stubReply(deleteStoredQuery, async (input) => {
          asked.delete.push(input);
          return { name: input.name, query_scope: 'realm' as const };
        }),
        stubReply(runQuery, async (input) => {
          asked.run.push(input);
          return { resultId, columns: [{ name: 'days', kind: 'integer' as const }] };
        }),
        stubReply(readQueryResult, async (input) => {
          asked.read.push(input);
          return { items: [{ days: 7 }], next: 'more' };
        }),
      ],
    },
  });
});
beforeEach(() => {
  for (const requests of Object.values(asked)) requests.length = 0;
});
afterAll(() => console.stop());

async function call(name: string, input: object, role: RealmRole | 'operator' = 'administrator') {
  const cookie = await console.signIn(
    role === 'operator' ? operatorRoles : { operator: false, realms: { [ownRealm]: role } },
  );
  const response = await console.call(name, { realm: ownRealm, ...input }, cookie);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the reports of a realm', () => {
  const named = { report: 'late_learners', scope: 'realm' };

  it('reports are listed page by page', async () => {
    const { body } = await call('reports.list', { cursor: 'c', limit: 20 });
    expect(body).toMatchObject({ items: [own, {}, {}], next: null });
    expect(asked.list).toMatchObject([{ name: null, cursor: 'c', limit: 20 }]);
  });

  it('a report is shown by name and scope, and another is not found', async () => {
    expect((await call('reports.show', named)).body).toEqual(own);
    expect(asked.list).toMatchObject([{ name: 'late_learners' }]);
    const other = { ...named, scope: 'bright' };
    expect(await call('reports.show', other)).toMatchObject({ status: 404 });
  });

  it('the report of the provider application is shown and run, of several reports of one name', async () => {
    const second = { ...named, scope: 'provider', application: 2 };
    expect((await call('reports.show', second)).body).toEqual(ofApplication(2));
    expect(await call('reports.show', { ...second, application: 3 })).toMatchObject({
      status: 404,
    });
    await call('reports.run', { ...second, parameters: {} });
    expect(asked.run).toMatchObject([{ queryScope: 'provider', applicationId: 2 }]);
  });

  it('a run shows the first 200 rows, and says that there are more', async () => {
    const { body } = await call('reports.run', { ...named, parameters: { days: '7' } });
    const columns = [{ name: 'days', kind: 'integer' }];
    expect(body).toEqual({ columns, items: [{ days: 7 }], isCut: true });
    expect(asked.run).toMatchObject([
      { name: 'late_learners', queryScope: 'realm', parameters: { days: '7' } },
    ]);
    expect(asked.read).toMatchObject([{ resultId, cursor: null, limit: 200 }]);
  });

  it.each(['reader', 'author'] as const)('reports are refused to the role %s', async (role) => {
    for (const [name, input] of [
      ['reports.list', {}],
      ['reports.show', named],
      ['reports.run', { ...named, parameters: {} }],
    ] as const) {
      expect(await call(name, input, role)).toMatchObject({ status: 403 });
    }
    expect([...asked.list, ...asked.run]).toEqual([]);
  });

  const query = { name: 'late', application: null, sql: 'SELECT 1 AS one' };

  it('an operator stores a report for the realm, or for one of its applications', async () => {
    expect(await call('reports.put', query, 'operator')).toMatchObject({ body: { name: 'late' } });
    await call('reports.put', { ...query, application: 1 }, 'operator');
    expect(asked.put).toEqual([
      { name: 'late', realmId: 1, applicationId: null, sql: query.sql },
      { name: 'late', realmId: 1, applicationId: 1, sql: query.sql },
    ]);
    const foreign = await call('reports.put', { ...query, application: 7 }, 'operator');
    expect(foreign).toMatchObject({ status: 404 });
    expect(asked.put).toHaveLength(2);
  });

  it('an operator checks a text, and is told the place of what is wrong', async () => {
    const check = (sql: string) => call('reports.check', { sql }, 'operator');
    const problem = { message: 'syntax error', offset: 0 };
    expect((await check('WRONG')).body).toEqual({ problem });
    expect((await check('SELECT 1')).body).toEqual({ problem: null });
  });

  it('an administrator deletes a report, and none that is built in', async () => {
    await call('reports.delete', { ...named, application: 2 });
    expect(asked.delete).toMatchObject([
      { name: 'late_learners', queryScope: 'realm', applicationId: 2 },
    ]);
    const builtIn = await call('reports.delete', { ...named, scope: 'bright' });
    expect(builtIn).toMatchObject({ status: 400 });
  });
});
