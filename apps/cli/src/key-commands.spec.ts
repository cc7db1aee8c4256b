import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type InputOf } from '@registrar/bus';
import {
  allPermissions,
  Failure,
  issueApiKey,
  listApiKeys,
  revokeApiKey,
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
  expires_at: '2026-01-02T00:00:00Z',
};

describeWith(await findBroker(), 'registrar key', (broker) => {
  let operator: OperatorFixture;
  const issued: InputOf<typeof issueApiKey>[] = [];
  const revoked: number[] = [];

  beforeAll(async () => {
    operator = await startOperatorFixture(broker, {
      identity: [
        stubReply(issueApiKey, async (input) => {
          issued.push(input);
          return { summary, token: 'rgk_new' };
        }),
        stubReply(listApiKeys, async ({ realmGuid }) => ({
          items: realmGuid === 'two' ? [] : [summary],
          next: null,
        })),
        stubReply(revokeApiKey, async ({ apiKeyId }) => {
          if (apiKeyId !== 3) throw new Failure('not-found', `no api key ${apiKeyId}`);
          revoked.push(apiKeyId);
          return {};
        }),
      ],
    });
  });
  afterAll(() => operator.stop());

  it('create shows the new key', async () => {
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
        ...{ realmGuid: 'one', userEmail: 'learner@example.com', applicationId: 2 },
        ...{ permissions: ['read', 'launch'], lifetimeHours: 8 },
      },
      {
        ...{ realmGuid: 'one', userEmail: null, applicationId: null },
        ...{ permissions: ['read', 'write', 'launch'], lifetimeHours: null },
      },
    ]);
    for (const wrong of ['--permissions=read,all', '--permissions=', '--lifetime=0']) {
      expect((await operator.run([...create, wrong])).code).toBe(2);
    }
  });

  it('list shows those of a realm, or all', async () => {
    expect(answerOf(await operator.run(['key', 'list', '--json']))).toEqual([summary]);
    const { stdout } = await operator.run(['key', 'list', '--realm', 'two']);
    expect(stdout).toMatch(/^ID +REALM_GUID.*\n$/);
  });

  it('revoke ends a key, and says when there is no such key', async () => {
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

  it('says when a context is not there', async () => {
    expect(await operator.run(['query', 'list'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^registrar: .*enrolment/),
    });
  });
});
