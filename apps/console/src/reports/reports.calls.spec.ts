import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import { listRunnableQueries, readQueryResult, runQuery } from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ConsoleFixture, ownRealm, startConsoleFixture } from '../console.fixture.ts';
import type { RealmRole } from '../sessions/roles.ts';

const own = {
  id: 9,
  name: 'late_learners',
  query_scope: 'realm' as const,
  provider_application_id: null,
  sql: 'SELECT :days::integer AS days',
  parameters: ['days'],
};
const resultId = '7d1c0f9e-32b0-4d5a-9a5f-0f3f7ad61a01';

let console: ConsoleFixture;
const asked = {
  list: [] as InputOf<typeof listRunnableQueries>[],
  run: [] as InputOf<typeof runQuery>[],
  read: [] as InputOf<typeof readQueryResult>[],
};

beforeAll(async () => {
  console = await startConsoleFixture({
    stubs: {
      enrolment: [
        stubReply(listRunnableQueries, async (input) => {
          asked.list.push(input);
          return { items: [own], next: null };
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

async function call(name: string, input: object, role: RealmRole = 'administrator') {
  const cookie = await console.signIn({ operator: false, realms: { [ownRealm]: role } });
  const response = await console.call(name, { realm: ownRealm, ...input }, cookie);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the reports of a realm', () => {
  const named = { report: 'late_learners', scope: 'realm' };

  it('reports are listed page by page', async () => {
    const { body } = await call('reports.list', { cursor: 'c', limit: 20 });
    expect(body).toEqual({ items: [own], next: null });
    expect(asked.list).toMatchObject([{ name: null, cursor: 'c', limit: 20 }]);
  });

  it('a report is shown by name and scope, and another is not found', async () => {
    expect((await call('reports.show', named)).body).toEqual(own);
    expect(asked.list).toMatchObject([{ name: 'late_learners' }]);
    const other = { ...named, scope: 'bright' };
    expect(await call('reports.show', other)).toMatchObject({ status: 404 });
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
});
