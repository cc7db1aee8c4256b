import { type InputOf } from '@registrar/bus';
import { stubReply } from '@registrar/bus/testing';
import { Failure, indexRegistrations, recordExport } from '@registrar/contracts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type ConsoleFixture,
  foreignRealm,
  ownRealm,
  startConsoleFixture,
} from '../console.fixture.ts';
import { registrationRecord } from '../registrations/registrations.fixture.ts';

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

it.each(['xml', 'xlsx', ''])('refuses the format %j', async (format) => {
  expect((await exportFrom(ownRealm, format)).status).toBe(400);
});

it('refuses a malformed filter', async () => {
  expect((await exportFrom(ownRealm, 'csv', { complete: 'perhaps' })).status).toBe(400);
});
