import { afterAll, beforeAll, expect, it } from 'vitest';
import { type InputOf } from '@registrar/bus';
import {
  allPermissions,
  Failure,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
  revokeApiKeys,
  shortenApiKey,
  shortenApiKeys,
} from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const summary = {
  id: 3,
  realm_guid: 'one',
  course_provider_id: null,
  user_email: 'learner@example.com',
  permissions: allPermissions.slice(),
  created_at: '2026-01-01T00:00:00Z',
  last_used_at: null,
  expires_at: '2026-01-02T00:00:00Z',
};

describeWith(await findBroker(), 'registrar key', (broker) => {
  let operator: OperatorFixture;
  const issued: InputOf<typeof issueApiKey>[] = [];
  const revoked: number[] = [];
  const listed: unknown[] = [];
  const changed: unknown[] = [];

  beforeAll(async () => {
    operator = await startOperatorFixture(broker, {
      identity: [
        stubReply(issueApiKey, async (input) => {
          issued.push(input);
          return { summary, token: 'rgk_new' };
        }),
        stubReply(listApiKeys, async ({ cursor: _, limit: __, ...input }) => {
          listed.push(input);
          return { items: input.realmGuid === 'two' ? [] : [summary], next: null };
        }),
        stubReply(revokeApiKeys, async (input) => {
          changed.push(input);
          return { changed: 2, more: changed.length < 3 };
        }),
        stubReply(shortenApiKey, async ({ apiKeyId, inSeconds }) => ({
          expires_at: `2026-01-0${apiKeyId}T00:00:0${inSeconds}Z`,
        })),
        stubReply(shortenApiKeys, async (input) => {
          changed.push(input);
          return { changed: 5, more: false };
        }),
        stubReply(revokeApiKey, async ({ apiKeyId }) => {
          if (apiKeyId !== 3) throw new Failure('not-found', `no api key ${apiKeyId}`);
          revoked.push(apiKeyId);
          return {};
        }),
      ],
    });
  });
  afterAll(() => operator.stop());

  it('registrar key create shows the new key', async () => {
    const create = ['key', 'create', '--realm', 'one'];
    const bindings = ['--user', 'learner@example.com', '--application', '2'];
    const limits = ['--permissions', 'read,launch', '--lifetime', '8'];
    expect(answerOf(await operator.run([...create, ...bindings, ...limits, '--json']))).toEqual({
      ...summary,
      access_token: 'rgk_new',
    });
    const { stdout, stderr } = await operator.run(create);
    expect(stdout).toMatch(/access_token +rgk_new\n/);
    expect(stderr).toContain('shown this once');
    expect(issued).toEqual([
      {
        realmGuid: 'one',
        userEmail: 'learner@example.com',
        applicationId: 2,
        permissions: ['read', 'launch'],
        lifetimeHours: 8,
      },
      {
        realmGuid: 'one',
        userEmail: null,
        applicationId: null,
        permissions: ['read', 'write', 'launch'],
        lifetimeHours: null,
      },
    ]);
    for (const wrong of ['--permissions=read,all', '--permissions=', '--lifetime=0']) {
      expect((await operator.run([...create, wrong])).code).toBe(2);
    }
  });

  it('registrar key list shows those of a realm, or all', async () => {
    expect(answerOf(await operator.run(['key', 'list', '--json']))).toEqual([summary]);
    const { stdout } = await operator.run(['key', 'list', '--realm', 'two']);
    expect(stdout).toMatch(/^ID +REALM_GUID.*\n$/);
  });

  it('registrar key revoke ends a key, and says when there is no such key', async () => {
    expect(answerOf(await operator.run(['key', 'revoke', '3', '--json']))).toEqual({
      id: 3,
      revoked: true,
    });
    expect(revoked).toEqual([3]);
    expect(await operator.run(['key', 'revoke', '4'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'registrar: no api key 4\n',
    });
  });

  it('registrar key revoke and expire change the selected keys of a realm until none is left', async () => {
    const selection = ['--realm', 'one', '--user', 'learner@example.com', '--older-than', '90d'];
    const filters = {
      realmGuid: 'one',
      userEmail: 'learner@example.com',
      olderThanSeconds: 90 * 86_400,
      unusedForSeconds: null,
    };
    const revoke = ['key', 'revoke', ...selection];
    listed.length = 0;
    expect(answerOf(await operator.run([...revoke, '--dry-run', '--json']))).toEqual([summary]);
    expect([listed, changed]).toEqual([[filters], []]);
    expect(answerOf(await operator.run([...revoke, '--json']))).toEqual({
      realm_guid: 'one',
      revoked: 6,
    });
    expect(changed.splice(0)).toEqual([filters, filters, filters]);
    const expire = ['key', 'expire', '--realm', 'one', '--unused-for', '36h', '--in', '30m'];
    expect(answerOf(await operator.run([...expire, '--json']))).toEqual({
      realm_guid: 'one',
      shortened: 5,
    });
    expect(changed.splice(0)).toEqual([
      {
        realmGuid: 'one',
        userEmail: null,
        inSeconds: 30 * 60,
        olderThanSeconds: null,
        unusedForSeconds: 36 * 3_600,
      },
    ]);
  });

  it('registrar key expire lets one key expire', async () => {
    expect(answerOf(await operator.run(['key', 'expire', '3', '--in', '5s', '--json']))).toEqual({
      id: 3,
      expires_at: '2026-01-03T00:00:05Z',
    });
  });

  it.each([
    'key revoke',
    'key revoke 3 --realm one',
    'key revoke 3 --dry-run',
    'key revoke --user learner@example.com',
    'key revoke --realm one --older-than 90',
    'key expire 3',
    'key expire --in 2h',
  ])('%s does nothing', async (command) => {
    expect(await operator.run(command.split(' '))).toMatchObject({ code: 2, stdout: '' });
    expect(changed).toEqual([]);
  });

  it('says when a context is not there', async () => {
    expect(await operator.run(['query', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^registrar: .*enrolment/),
    });
  });
});
