import { afterAll, beforeAll, expect, it } from 'vitest';
import { Failure, parkedEventRequests, type ParkedEventSummary } from '@registrar/contracts';
import { stubReply } from '@registrar/bus/testing';
import { findBroker } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { answerOf, type OperatorFixture, startOperatorFixture } from './operator.fixture.ts';

const { list, inspect, replay, drop } = parkedEventRequests.enrolment;

const poison: ParkedEventSummary = {
  id: 'in-7',
  context: 'enrolment',
  event: 'catalog.course-changed',
  attempts: 5,
  parked_at: '2026-02-03T04:05:06Z',
  reason: 'not yet',
};

describeWith(await findBroker(), 'registrar parked', (brokerUrl) => {
  let operator: OperatorFixture;
  const replayed: string[] = [];

  beforeAll(async () => {
    const known = (id: string) => {
      if (id !== poison.id) throw new Failure('not-found', `no parked event ${id}`);
    };
    operator = await startOperatorFixture(brokerUrl, {
      enrolment: [
        stubReply(list, async () => ({ items: [poison], next: null })),
        stubReply(inspect, async ({ id }) => {
          known(id);
          return { ...poison, message: '{"what":"\u001b[2J"}', encoding: 'utf8' as const };
        }),
        stubReply(replay, async ({ id }) => {
          known(id);
          replayed.push(id);
          return {};
        }),
        stubReply(drop, async ({ id }) => (known(id), {})),
      ],
    });
  });
  afterAll(() => operator.stop());

  it.each([[[]], [['--json']]])(
    'parked list %j lists what every app has parked, and fails with the names of those that do not reply',
    async (options) => {
      const { code, stdout, stderr } = await operator.run(['parked', 'list', ...options]);
      expect(code).toBe(1);
      if (options.length > 0) expect(JSON.parse(stdout)).toEqual([poison]);
      else
        expect(stdout).toMatch(
          /^CONTEXT +ID +EVENT +ATTEMPTS +PARKED_AT +REASON\nenrolment +in-7 /,
        );
      expect(stderr).toBe(
        'registrar: the list is incomplete: no reply from identity, catalog, crawler, provider\n',
      );
    },
  );

  it('parked list of one app succeeds when that app replies, and fails when it does not', async () => {
    const one = await operator.run(['parked', 'list', '--context', 'enrolment', '--json']);
    expect(answerOf(one)).toEqual([poison]);
    expect(await operator.run(['parked', 'list', '--context', 'catalog'])).toMatchObject({
      code: 1,
    });
  });

  it('shows one, safe to print', async () => {
    const { stdout } = await operator.run(['parked', 'inspect', 'enrolment', 'in-7']);
    expect(stdout).toContain('\\u{001b}[2J');
    expect(stdout).not.toContain('\u001b');
  });

  it('replays and drops one, once it knows it', async () => {
    const ended = await operator.run(['parked', 'replay', 'enrolment', 'in-7', '--json']);
    expect(answerOf(ended)).toEqual({ context: 'enrolment', id: 'in-7', replayed: true });
    expect(replayed).toEqual(['in-7']);
    const dropped = await operator.run(['parked', 'drop', 'enrolment', 'in-7', '--json']);
    expect(answerOf(dropped)).toEqual({ context: 'enrolment', id: 'in-7', dropped: true });
    for (const command of ['inspect', 'replay', 'drop']) {
      expect(await operator.run(['parked', command, 'enrolment', 'out-1'])).toMatchObject({
        code: 1,
        stderr: 'registrar: no parked event out-1\n',
      });
    }
  });

  it.each([
    ['gateway', 'in-7'],
    ['enrolment', '7'],
  ])('refuses a malformed name: %s %s', async (context, id) => {
    expect(await operator.run(['parked', 'drop', context, id])).toMatchObject({ code: 2 });
  });
});
