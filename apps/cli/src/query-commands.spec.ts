import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  dropStoredQuery,
  Failure,
  listProviderApplicationSummaries,
  listRealms,
  listStoredQueries,
  putStoredQuery,
  readQueryResult,
  runQuery,
} from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const stored = {
  id: 5,
  name: 'finished',
  query_scope: 'realm' as const,
  realm_id: 2,
  provider_application_id: null,
  sql: 'SELECT learner_id FROM registrations',
  parameters: ['since'],
};
const resultId = '8f14e45f-ceea-467f-9d1c-3f2b6a7d1c11';
const created_at = '2026-01-01T00:00:00Z';
const counts = { provider_applications: 2, users: 0 };
const settings = { disabled_at: null, compatibility: null, user_licenses: false };
const realm = { id: 2, guid: 'two', name: 'Two', ...counts, created_at, ...settings };
const rows = [
  { learner_id: 'learner@example.com', score: 80 },
  { learner_id: 'learner@example.org', score: null },
];

describeWith(await findBroker(), 'registrar query', (broker) => {
  let operator: OperatorFixture;
  const put: InputOf<typeof putStoredQuery>[] = [];
  const dropped: number[] = [];
  const ran: InputOf<typeof runQuery>[] = [];

  beforeAll(async () => {
    operator = await startOperatorFixture(broker, {
      identity: [
        stubReply(listRealms, async () => ({ items: [realm], next: null })),
        stubReply(listProviderApplicationSummaries, async ({ realmGuid }) => ({
          items: [8, 9].map((id) => ({
            id,
            name: 'Main',
            sc_app_id: `app-${id}`,
            url: 'https://provider.example.com',
            realm_id: 2,
            created_at,
            updated_at: created_at,
            realm_guid: realmGuid ?? '',
          })),
          next: null,
        })),
      ],
      enrolment: [
        stubReply(listStoredQueries, async () => ({ items: [stored], next: null })),
        stubReply(putStoredQuery, async (input) => {
          if (input.sql.startsWith('DROP')) throw new Failure('invalid', 'no single SELECT');
          put.push(input);
          return stored;
        }),
        stubReply(dropStoredQuery, async ({ storedQueryId }) => {
          dropped.push(storedQueryId);
          return {};
        }),
        stubReply(runQuery, async (input) => {
          if (input.name !== 'finished') throw new Failure('not-found', 'no such query');
          ran.push(input);
          const columns = [
            { name: 'learner_id', kind: 'text' as const },
            { name: 'score', kind: 'integer' as const },
          ];
          return { resultId, columns };
        }),
        stubReply(readQueryResult, async (input) => {
          expect(input.resultId).toBe(resultId);
          return { items: rows, next: null };
        }),
      ],
    });
  });
  afterAll(() => operator.stop());

  it('registrar query list shows all, with their SQL to programs', async () => {
    expect(answerOf(await operator.run(['query', 'list', '--json']))).toEqual([stored]);
    const { stdout } = await operator.run(['query', 'list']);
    expect(stdout).toMatch(/finished +realm +2 +- +\["since"\]/);
    expect(stdout).not.toContain('SELECT');
  });

  it('registrar query put stores the SQL of a file or of standard input for a realm', async () => {
    const file = await operator.file('finished.sql', stored.sql);
    const args = ['query', 'put', 'finished', '--realm', 'two', '--json', '--sql-file'];
    const { sql, ...kept } = stored;
    expect(answerOf(await operator.run([...args, file]))).toEqual(kept);
    await operator.run([...args, '-', '--application', '8'], sql);
    expect(put).toEqual([
      { name: 'finished', realmId: 2, applicationId: null, sql },
      { name: 'finished', realmId: 2, applicationId: 8, sql },
    ]);
  });

  it('registrar query put says why a query cannot be stored', async () => {
    const args = ['query', 'put', 'finished', '--sql-file', '-', '--realm'];
    expect(await operator.run([...args, 'two'], 'DROP TABLE x')).toMatchObject({
      code: 1,
      stderr: 'registrar: no single SELECT\n',
    });
    expect(await operator.run([...args, 'nowhere'], 'SELECT 1')).toMatchObject({
      code: 1,
      stderr: 'registrar: no such realm\n',
    });
    expect(await operator.run([...args, 'two'], '')).toMatchObject({ code: 2 });
  });

  it('registrar query drop removes one', async () => {
    expect(answerOf(await operator.run(['query', 'drop', '5', '--json']))).toEqual({
      id: 5,
      dropped: true,
    });
    expect(dropped).toEqual([5]);
  });

  it('registrar query run shows the rows that the realm reaches', async () => {
    const args = ['query', 'run', 'finished', '--realm', 'two', '--query-scope', 'realm'];
    const parameters = ['--param', 'since=2026-01-01', '--param', 'like=a=b'];
    expect(answerOf(await operator.run([...args, ...parameters, '--json']))).toEqual(rows);
    expect(ran[0]).toMatchObject({
      scope: {
        mode: 'realm',
        realmId: 2,
        applicationIds: [8, 9],
        wholeRealm: true,
        user: null,
      },
      queryScope: 'realm',
      parameters: { since: '2026-01-01', like: 'a=b' },
    });
    const { stdout } = await operator.run(['query', 'run', 'finished', '--realm', 'two']);
    expect(stdout).toBe(
      ['LEARNER_ID           SCORE', 'learner@example.com  80', 'learner@example.org  -', ''].join(
        '\n',
      ),
    );
    expect(ran[1]).toMatchObject({ queryScope: null, parameters: {} });
  });

  it('registrar query run says when there is no such query', async () => {
    expect(await operator.run(['query', 'run', 'other', '--realm', 'two'])).toMatchObject({
      code: 1,
      stderr: 'registrar: no such query\n',
    });
  });
});
