import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InputOf } from '@registrar/bus';
import { type AuditEntry, Failure, listAuditEntries } from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const entry = (id: number): AuditEntry => ({
  id,
  occurred_at: `2026-11-01T08:00:00.00${id}Z`,
  realm_guid: 'one',
  actor: 'api_key',
  actor_id: 7,
  actor_name: null,
  client_address: '192.0.2.7',
  request_id: 'r',
  action: 'realm-user.created',
  subject: { realm_user_id: id },
});

describe('registrar audit', () => {
  let operator: OperatorFixture;
  const asked: InputOf<typeof listAuditEntries>[] = [];
  /** The replies to come; without one the list fails. */
  const replies: { items: AuditEntry[]; next: string | null }[] = [];
  beforeAll(async () => {
    operator = await startOperatorFixture(null, {
      identity: [
        stubReply(listAuditEntries, async (input) => {
          asked.push(input);
          const reply = replies.shift();
          if (!reply) throw new Failure('unavailable', 'identity has stopped');
          return reply;
        }),
      ],
    });
  });
  afterAll(() => operator.stop());

  it('prints a table for people, and one JSON object per line with --json', async () => {
    const page = { items: [entry(1), entry(2)], next: null };
    replies.push(page, page);
    const { stdout } = await operator.run(['audit']);
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      'TIME                      REALM  ACTOR      ADDRESS    ACTION              SUBJECT',
      '2026-11-01T08:00:00.001Z  one    api_key 7  192.0.2.7  realm-user.created  {"realm_user_id":1}',
    ]);
    const lines = (await operator.run(['audit', '--json'])).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(page.items);
  });

  it('passes on filters, and refuses times and actions that it does not know', async () => {
    replies.push({ items: [], next: null });
    const times = ['--since', '2026-11-01', '--until', '2026-11-01T08:00:00+01:00'];
    const others = ['--realm', 'one', '--action', 'api-key.revoked', '--key', '7'];
    expect((await operator.run(['audit', ...times, ...others])).code).toBe(0);
    expect(asked.at(-1)).toMatchObject({
      since: '2026-11-01T00:00:00.000Z',
      until: '2026-11-01T07:00:00.000Z',
      realmGuid: 'one',
      action: 'api-key.revoked',
      apiKeyId: 7,
      afterId: null,
    });
    for (const wrong of [
      ['--since', 'yesterday'],
      ['--until', '3w'],
      ['--action', 'nothing'],
    ]) {
      expect((await operator.run(['audit', ...wrong])).code).toBe(2);
    }
  });

  it('follows the log, also entries that become visible late, until it cannot be read', async () => {
    replies.push({ items: [entry(1)], next: 'more' }, { items: [entry(3)], next: null });
    replies.push({ items: [entry(1), entry(2), entry(3)], next: null });
    const { code, stdout, stderr } = await operator.run(['audit', '--follow', '--json']);
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as AuditEntry).id);
    expect({ ids, code, stderr }).toEqual({
      ids: [1, 3, 2],
      code: 1,
      stderr: 'registrar: identity has stopped\n',
    });
  });
});
