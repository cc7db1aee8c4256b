import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import {
  Failure,
  indexRegistrations,
  readQueryResult,
  recordExport,
  runQuery,
} from '@registrar/contracts';
import { readXlsx } from 'hucre/xlsx';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  foreignRealm,
  ownRealm,
  startConsoleFixture,
} from '../console.fixture.ts';
import type { RealmRole } from '../sessions/roles.ts';
import { registrationRecord } from '../registrations/registrations.fixture.ts';

const columnsOf = ({ days }: Readonly<Record<string, string>>) =>
  days === '7'
    ? [
        { name: 'learner', kind: 'text' as const },
        { name: 'share', kind: 'float' as const },
        { name: 'at', kind: 'datetime' as const },
      ]
    : [];

let console: ConsoleFixture;
let asked: InputOf<typeof indexRegistrations>[] = [];
let recorded: InputOf<typeof recordExport>[] = [];
let auditFails = false;

beforeAll(async () => {
  console = await startConsoleFixture({
    stubs: {
      identity: [
        stubReply(recordExport, async (input) => {
          if (auditFails) throw new Failure('invalid', 'refused');
          recorded.push(input);
          return {};
        }),
      ],
      enrolment: [
        stubReply(indexRegistrations, async (input) => {
          asked.push(input);
          const id = input.cursor === null ? 1 : 2;
          const learner_id = '<b>"ann",\n@example.com';
          return {
            items: [registrationRecord({ id, learner_id })],
            next: id === 1 ? 'second' : null,
          };
        }),
        stubReply(runQuery, async ({ name, parameters }) => {
          if (name !== 'late') throw new Failure('not-found', 'no such query');
          return { resultId: randomUUID(), columns: columnsOf(parameters) };
        }),
        stubReply(readQueryResult, async ({ cursor }) => ({
          items: [
            { learner: '=1+1', share: cursor === null ? 0.5 : null, at: '2026-11-01T08:00:00Z' },
          ],
          next: cursor === null ? 'second' : null,
        })),
      ],
    },
  });
});
beforeEach(() => {
  [asked, recorded, auditFails] = [[], [], false];
});
afterAll(() => console.stop());

async function exportFrom(
  realm: string,
  format: string,
  filters: object = {},
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
) {
  const cookie = await console.signIn({ operator: false, realms: { [ownRealm]: 'reader' } });
  const query = new URLSearchParams({ format, input: JSON.stringify({ realm, ...filters }) });
  return console.fetch(`/api/exports/registrations?${query.toString()}`, {
    headers: { ...cookie, ...headers },
  });
}

async function exportReport(format: string, report = 'late', role: RealmRole = 'administrator') {
  const cookie = await console.signIn({ operator: false, realms: { [ownRealm]: role } });
  const input = { realm: ownRealm, report, scope: 'realm', parameters: { days: '7' } };
  const query = new URLSearchParams({ format, input: JSON.stringify(input) });
  return console.fetch(`/api/exports/reports?${query.toString()}`, {
    headers: { ...cookie, 'sec-fetch-site': 'same-origin' },
  });
}

const sheetOf = async (response: Response) => {
  const { sheets } = await readXlsx(new Uint8Array(await response.arrayBuffer()));
  return sheets[0]!.rows;
};

it('streams all pages of a list as CSV, and records it with who did it', async () => {
  const response = await exportFrom(ownRealm, 'csv', { complete: 'complete' });
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="registrations.csv"',
  );
  const text = await response.text();
  expect(text).toMatch(/^id,registration_guid,/);
  expect(text).toContain(`"<b>""ann"",\n'@example.com"`);
  expect(asked.map(({ cursor, filters }) => [cursor, filters.complete])).toEqual([
    [null, 'complete'],
    ['second', 'complete'],
  ]);
  await expect
    .poll(() => recorded)
    .toMatchObject([
      {
        action: 'list.exported',
        actor: { kind: 'console', name: 'ada@example.com' },
        subject: { operation: 'registration index', rows: 2 },
      },
    ]);
});

it('streams all pages of a list as JSON', async () => {
  const response = await exportFrom(ownRealm, 'json');
  const records = (await response.json()) as { id: number }[];
  expect(records.map(({ id }) => id)).toEqual([1, 2]);
});

it('streams all pages of a list as a workbook, in the columns of CSV', async () => {
  const response = await exportFrom(ownRealm, 'xlsx');
  expect(response.headers.get('content-disposition')).toContain('registrations.xlsx');
  const [names, first, second, ...others] = await sheetOf(response);
  expect(names).toEqual(expect.arrayContaining(['id', 'learner_id']));
  expect([first![names!.indexOf('id')], second![names!.indexOf('id')]]).toEqual([1, 2]);
  expect(first![names!.indexOf('learner_id')]).toBe('<b>"ann",\n@example.com');
  expect(others).toEqual([]);
});

it('runs a report, streams its result as CSV, and records it', async () => {
  const response = await exportReport('csv');
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="late.csv"');
  expect(await response.text()).toBe(
    "learner,share,at\r\n'=1+1,0.5,2026-11-01T08:00:00Z\r\n'=1+1,,2026-11-01T08:00:00Z\r\n",
  );
  await expect.poll(() => recorded).toMatchObject([{ subject: { operation: 'run', rows: 2 } }]);
});

it('streams the result of a report as a workbook, whose texts are no formulas', async () => {
  const response = await exportReport('xlsx');
  expect(response.headers.get('content-type')).toContain('spreadsheetml');
  const at = new Date('2026-11-01T08:00:00Z');
  expect(await sheetOf(response)).toEqual([
    ['learner', 'share', 'at'],
    ['=1+1', 0.5, at],
    ['=1+1', null, at],
  ]);
});

it('refuses the export of a report that there is not, and to a role that may not run it', async () => {
  expect((await exportReport('csv', 'gone')).status).toBe(404);
  expect((await exportReport('csv', 'late', 'author')).status).toBe(403);
});

it('logs an export that the audit log lacks', async () => {
  auditFails = true;
  await (await exportFrom(ownRealm, 'json')).text();
  await expect
    .poll(() => JSON.stringify(console.lines()))
    .toContain('an export is missing in the audit log');
});

it('refuses the export of a realm without a role', async () => {
  const response = await exportFrom(foreignRealm, 'csv');
  expect(response.status).toBe(403);
  expect(asked).toEqual([]);
});

it('refuses a request of another site', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  const response = await exportFrom(ownRealm, 'csv', {}, headers);
  expect(response.status).toBe(403);
  expect(asked).toEqual([]);
});

it.each(['xml', 'xls', ''])('refuses the format %j', async (format) => {
  expect((await exportFrom(ownRealm, format)).status).toBe(400);
});

it('refuses a malformed filter', async () => {
  expect((await exportFrom(ownRealm, 'csv', { complete: 'perhaps' })).status).toBe(400);
});
