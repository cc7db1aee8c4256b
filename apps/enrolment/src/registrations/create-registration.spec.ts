import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createdRegistrationRecord, type Failure } from '#libs/contracts';
import { runOperation } from '#libs/platform';
import { randomUUID } from 'node:crypto';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { SettleRegistrations } from './settle-registrations.ts';

describe('registration create', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
  });
  afterEach(() => {
    enrolment.provider.intercept = () => undefined;
    enrolment.account(1).registrationLimit = Infinity;
  });
  afterAll(() => enrolment.stop());

  const learner = () => `learner-${randomUUID()}@example.org`;
  const atProvider = (learnerId: string) =>
    [...enrolment.account(1).registrations.values()].filter(
      (registration) => registration.learner.id === learnerId,
    );
  const rowsOf = (learnerId: string) =>
    enrolment.database.query<{ registration_guid: string; provider_state: string }>(
      `SELECT registration_guid, provider_state FROM registrations
       WHERE learner_id = $1 AND provider_application_id = 1`,
      [learnerId],
    );
  const failureOf = (create: Promise<unknown>): Promise<Failure> =>
    create.then(
      () => {
        throw new Error('the create succeeded');
      },
      (error: Failure) => error,
    );
  /** Lets the time pass in which a create may still be at work, and settles what is left. */
  const settle = async () => {
    await enrolment.database.query(
      `UPDATE registrations SET settle_after = now() - interval '1 s'
       WHERE provider_application_id = 1 AND provider_state <> 'ready'`,
    );
    await enrolment.app.get(SettleRegistrations).run();
  };

  it('makes it at the provider and answers its record', async () => {
    const learnerId = learner();
    const record = await enrolment.create(learnerId);
    expect(createdRegistrationRecord.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      course_guid: 'swimming',
      learner_id: learnerId,
      complete: 'unknown',
      success: 'unknown',
      score: null,
      course_provider_id: 1,
      course_id: 100,
      crawl_status: null,
      launched_at: null,
      deleted: null,
    });
    expect(atProvider(learnerId)).toMatchObject([
      {
        id: record.registration_guid,
        course: { id: 'swimming' },
        learner: { email: learnerId, firstName: 'Ada', lastName: 'Lovelace' },
      },
    ]);
    expect(await enrolment.published('enrolment.registration-created')).toContainEqual({
      registrationGuid: record.registration_guid,
      applicationId: 1,
      courseGuid: 'swimming',
      at: record.updated_at,
    });
  });

  it('makes another one for the same learner when duplicates are allowed', async () => {
    const learnerId = learner();
    const [one, two] = [await enrolment.create(learnerId), await enrolment.create(learnerId)];
    expect(one.registration_guid).not.toBe(two.registration_guid);
    expect(atProvider(learnerId)).toHaveLength(2);
  });

  it('answers the existing one otherwise, in whatever case the learner is written', async () => {
    const learnerId = learner();
    const first = await enrolment.create(learnerId);
    const again = await enrolment.create(learnerId.toUpperCase(), { dontDuplicate: true });
    expect(again).toEqual(first);
    expect(atProvider(learnerId)).toHaveLength(1);
  });

  it('never answers a registration that is inactive or deleted', async () => {
    const learnerId = learner();
    const first = await enrolment.create(learnerId);
    await enrolment.database.query(
      'UPDATE registrations SET active = false WHERE registration_guid = $1',
      [first.registration_guid],
    );
    const second = await enrolment.create(learnerId, { dontDuplicate: true });
    await enrolment.database.query(
      'UPDATE registrations SET deletion_sequence = 9 WHERE registration_guid = $1',
      [second.registration_guid],
    );
    const third = await enrolment.create(learnerId, { dontDuplicate: true });
    const guids = [first, second, third].map((record) => record.registration_guid);
    expect(new Set(guids).size).toBe(3);
  });

  it('makes one registration out of 20 equal creates at once', async () => {
    const learnerId = learner();
    const records = await Promise.all(
      Array.from({ length: 20 }, () => enrolment.create(learnerId, { dontDuplicate: true })),
    );
    expect(new Set(records.map((record) => record.id)).size).toBe(1);
    expect(atProvider(learnerId)).toHaveLength(1);
    expect(await rowsOf(learnerId)).toHaveLength(1);
    const events = await enrolment.published('enrolment.registration-created');
    expect(
      events.filter((event) => event['registrationGuid'] === records[0]?.registration_guid),
    ).toHaveLength(1);
  });

  it('answers the same registration when the same request is repeated', async () => {
    const learnerId = learner();
    const operation = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
    const create = () => runOperation(operation, () => enrolment.create(learnerId));
    const first = await create();
    expect(await create()).toEqual(first);
    expect(atProvider(learnerId)).toHaveLength(1);
  });

  it('fails for another learner than the one that the key is bound to', async () => {
    const scope = scopeOf({ email: 'someone@example.org' });
    await expect(enrolment.create(learner(), { scope })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const own = await enrolment.create('Someone@example.org', { scope });
    expect(own.learner_id).toBe('Someone@example.org');
  });

  it('fails for an application out of reach, and for a course that is not there', async () => {
    await expect(enrolment.create(learner(), { applicationId: 3 })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await expect(enrolment.create(learner(), { courseGuid: 'flying' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('tells what the provider refused, and leaves nothing that could be answered', async () => {
    const learnerId = learner();
    enrolment.account(1).registrationLimit = 0;
    const failure = await failureOf(enrolment.create(learnerId));
    expect(failure.code).toBe('refused-by-provider');
    expect(failure.detail).toEqual({
      error_code: '4',
      error_message: 'The maximum number of registrations has been reached.',
      error_url: `${enrolment.provider.url}/api/v2/registrations`,
    });
    expect(await enrolment.index({ learnerId })).toEqual([]);
    await settle();
    expect(await rowsOf(learnerId)).toEqual([]);
  });

  it('can succeed after a refusal', async () => {
    const learnerId = learner();
    enrolment.account(1).registrationLimit = 0;
    await failureOf(enrolment.create(learnerId, { dontDuplicate: true }));
    enrolment.account(1).registrationLimit = Infinity;
    const record = await enrolment.create(learnerId, { dontDuplicate: true });
    expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
    expect(await rowsOf(learnerId)).toHaveLength(1);
  });

  describe('whose answer from the provider is lost', () => {
    /** The provider goes away when it has taken the next create, or before it gets it. */
    const losing = (learnerId: string, taken: boolean) => {
      let away = false;
      enrolment.provider.intercept = async ({ method, path }) => {
        const isCreate = method === 'POST' && path === 'registrations';
        if (!isCreate) return away ? 'drop' : undefined;
        const [row] = await rowsOf(learnerId);
        if (taken && row && !away) {
          enrolment.account(1).addRegistration(row.registration_guid, 'swimming', learnerId);
        }
        away = true;
        return 'drop';
      };
    };
    const loseCreate = async (learnerId: string, taken: boolean) => {
      losing(learnerId, taken);
      const failure = await failureOf(enrolment.create(learnerId, { dontDuplicate: true }));
      enrolment.provider.intercept = () => undefined;
      expect(failure.code).toBe('unavailable');
      expect(await enrolment.index({ learnerId })).toEqual([]);
    };

    it.each([true, false])(
      'is made once when the connection alone was lost (taken: %s)',
      async (taken) => {
        const learnerId = learner();
        losing(learnerId, taken);
        const lose = enrolment.provider.intercept;
        enrolment.provider.intercept = async (request) => {
          const answer = await lose(request);
          if (answer === 'drop') enrolment.provider.intercept = () => undefined;
          return answer;
        };
        const record = await enrolment.create(learnerId);
        expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
        expect(await enrolment.index({ learnerId })).toHaveLength(1);
      },
    );

    it.each([true, false])('is completed by an equal create (taken: %s)', async (taken) => {
      const learnerId = learner();
      await loseCreate(learnerId, taken);
      const record = await enrolment.create(learnerId, { dontDuplicate: true });
      expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
      expect(await enrolment.index({ learnerId })).toHaveLength(1);
      await settle();
      expect(await enrolment.index({ learnerId })).toHaveLength(1);
    });

    it('is completed by the same request, repeated', async () => {
      const learnerId = learner();
      const operation = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
      losing(learnerId, true);
      await failureOf(runOperation(operation, () => enrolment.create(learnerId)));
      enrolment.provider.intercept = () => undefined;
      const record = await runOperation(operation, () => enrolment.create(learnerId));
      expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
    });

    it('is settled as the provider has it', async () => {
      const [held, unheld] = [learner(), learner()];
      await loseCreate(held, true);
      await loseCreate(unheld, false);
      await settle();
      expect(await enrolment.index({ learnerId: held })).toMatchObject([{ learner_id: held }]);
      expect(await rowsOf(unheld)).toEqual([]);
      const created = await enrolment.published('enrolment.registration-created');
      const [row] = await rowsOf(held);
      expect(created).toContainEqual(
        expect.objectContaining({ registrationGuid: row?.registration_guid }),
      );
    });

    it('waits to be settled while the provider is away, or a create may be at work', async () => {
      const learnerId = learner();
      await loseCreate(learnerId, true);
      await enrolment.app.get(SettleRegistrations).run();
      expect(await rowsOf(learnerId)).toMatchObject([{ provider_state: 'pending' }]);
      enrolment.provider.intercept = () => ({ status: 500 });
      await settle();
      expect(await rowsOf(learnerId)).toMatchObject([{ provider_state: 'pending' }]);
    });

    it('is not removed from under a create that takes it up again', async () => {
      const learnerId = learner();
      await loseCreate(learnerId, false);
      let again: Promise<unknown> = Promise.resolve();
      let asked = 0;
      enrolment.provider.intercept = async ({ method }) => {
        // While the background asks, an equal create begins and waits for its own answer.
        if (method !== 'GET' || asked++ > 0) return undefined;
        again = enrolment.create(learnerId, { dontDuplicate: true });
        await again;
        return { status: 404, body: { message: 'no such registration' } };
      };
      await settle();
      await again;
      expect(await enrolment.index({ learnerId })).toHaveLength(1);
      expect(atProvider(learnerId)).toHaveLength(1);
    });

    it('is not removed while such a create waits for its answer', async () => {
      const learnerId = learner();
      await loseCreate(learnerId, false);
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const { promise: settled, resolve: release } = Promise.withResolvers<void>();
      let again: Promise<unknown> = Promise.resolve();
      let asked = 0;
      enrolment.provider.intercept = async ({ method }) => {
        if (method === 'POST') {
          reach();
          await settled;
          return undefined;
        }
        if (asked++ > 0) return undefined;
        again = enrolment.create(learnerId, { dontDuplicate: true });
        await reached;
        return { status: 404, body: { message: 'no such registration' } };
      };
      await settle();
      release();
      await again;
      expect(await enrolment.index({ learnerId })).toHaveLength(1);
      expect(atProvider(learnerId)).toHaveLength(1);
    });

    it('fails at the deadline when no answer comes', async () => {
      const learnerId = learner();
      const { promise: never, resolve: release } = Promise.withResolvers<undefined>();
      enrolment.provider.intercept = () => never;
      const operation = { requestId: 'r', deadline: Date.now() + 300 };
      const failure = await failureOf(
        runOperation(operation, () => enrolment.create(learnerId, { dontDuplicate: true })),
      );
      expect(failure.code).toBe('expired');
      release(undefined);
      enrolment.provider.intercept = () => undefined;
      await enrolment.create(learnerId, { dontDuplicate: true });
      expect(await rowsOf(learnerId)).toHaveLength(1);
      expect(atProvider(learnerId)).toHaveLength(1);
    });
  });

  it('that is cut short before it reaches the provider is completed, or removed', async () => {
    const [again, never] = [learner(), learner()];
    // What a process leaves that dies right after the first commit of a create.
    for (const learnerId of [again, never]) {
      await enrolment.database.query(
        `INSERT INTO registrations (realm_id, provider_application_id, registration_guid,
           course_guid, learner_id, user_id, provider_state, settle_after)
         VALUES (1, 1, $1, 'swimming', $2, 1, 'pending', now() + interval '40 s')`,
        [randomUUID(), learnerId],
      );
    }
    await enrolment.create(again, { dontDuplicate: true });
    await settle();
    expect(atProvider(again)).toHaveLength(1);
    expect(await rowsOf(again)).toMatchObject([{ provider_state: 'ready' }]);
    expect(await rowsOf(never)).toEqual([]);
  });
});
