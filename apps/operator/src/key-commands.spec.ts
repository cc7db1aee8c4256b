import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InputOf } from '#libs/bus';
import { Failure, issueApiKey, listApiKeys, revokeApiKey } from '#libs/contracts';
import { answer, brokerForTests } from '#libs/testing';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const summary = {
  id: 3,
  realm_guid: 'one',
  course_provider_id: null,
  user_email: 'learner@example.com',
  created_at: '2026-01-01T00:00:00Z',
  expires_at: '2026-01-02T00:00:00Z',
};

const broker = await brokerForTests();
if (broker) {
  describe('registrar key', () => {
    let operator: OperatorFixture;
    const issued: InputOf<typeof issueApiKey>[] = [];
    const revoked: number[] = [];

    beforeAll(async () => {
      operator = await startOperatorFixture(broker, {
        identity: [
          answer(issueApiKey, async (input) => {
            issued.push(input);
            return { summary, token: 'rgk_new' };
          }),
          answer(listApiKeys, async ({ realmGuid }) => ({
            items: realmGuid === 'two' ? [] : [summary],
            next: null,
          })),
          answer(revokeApiKey, async ({ apiKeyId }) => {
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
      expect(answerOf(await operator.run([...create, ...bindings, '--json']))).toEqual({
        ...summary,
        access_token: 'rgk_new',
      });
      const { stdout, stderr } = await operator.run(create);
      expect(stdout).toMatch(/access_token +rgk_new\n/);
      expect(stderr).toContain('shown this once');
      expect(issued).toEqual([
        { realmGuid: 'one', userEmail: 'learner@example.com', applicationId: 2 },
        { realmGuid: 'one', userEmail: null, applicationId: null },
      ]);
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
} else {
  it('is left out where no RabbitMQ answers', () => expect(broker).toBeNull());
}
