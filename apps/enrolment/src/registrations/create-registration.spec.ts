import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createdRegistrationRecord, type Failure } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { clock, runInRequestContext } from '@registrar/platform';
import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';
import { learnerRegistrationsPerHour } from './claim-registration.ts';
import { ReconcilePendingRegistrations } from './reconcile-pending-registrations.ts';

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
    enrolment.database.many(
      z.object({ registration_guid: z.string(), provider_state: z.string() }),
      sql`SELECT registration_guid, provider_state FROM registrations
          WHERE learner_id = ${learnerId} AND provider_application_id = 1`,
    );
  const failureOf = (create: Promise<unknown>): Promise<Failure> =>
    create.then(
      () => {
        throw new Error('the create succeeded');
      },
      (error: Failure) => error,
    );
  /** Makes all pending registrations due, and reconciles them. */
  const reconcile = async () => {
    await enrolment.database.execute(
      sql`UPDATE registrations SET settle_after = now() - interval '1 s'
          WHERE provider_application_id = 1 AND provider_state <> 'ready'`,
    );
    await enrolment.app.get(ReconcilePendingRegistrations).reconcileDue();
  };

  it('creates the registration at the provider and returns its record', async () => {
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

  it('creates another registration for the same learner when duplicates are allowed', async () => {
    const learnerId = learner();
    const [one, two] = [await enrolment.create(learnerId), await enrolment.create(learnerId)];
    expect(one.registration_guid).not.toBe(two.registration_guid);
    expect(atProvider(learnerId)).toHaveLength(2);
  });

  it('returns the existing registration with dont_duplicate, in any case of the learner’s address', async () => {
    const learnerId = learner();
    const first = await enrolment.create(learnerId);
    const again = await enrolment.create(learnerId.toUpperCase(), { dontDuplicate: true });
    expect(again).toEqual({ ...first, is_duplicate: true });
    expect(atProvider(learnerId)).toHaveLength(1);
  });

  it('reuses no registration that is inactive or deleted', async () => {
    const learnerId = learner();
    const first = await enrolment.create(learnerId);
    await enrolment.database.execute(
      sql`UPDATE registrations SET active = false
          WHERE registration_guid = ${first.registration_guid}`,
    );
    const second = await enrolment.create(learnerId, { dontDuplicate: true });
    await enrolment.database.execute(
      sql`UPDATE registrations SET deletion_sequence = 9
          WHERE registration_guid = ${second.registration_guid}`,
    );
    const third = await enrolment.create(learnerId, { dontDuplicate: true });
    const guids = [first, second, third].map((record) => record.registration_guid);
    expect(new Set(guids).size).toBe(3);
  });

  it('creates one registration for 20 concurrent identical creates with dont_duplicate', async () => {
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

  it('returns the same registration when a request is repeated with its idempotency key', async () => {
    const learnerId = learner();
    const operation = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
    const create = () => runInRequestContext(operation, () => enrolment.create(learnerId));
    const first = await create();
    expect(await create()).toEqual(first);
    expect(atProvider(learnerId)).toHaveLength(1);
  });

  it('creates no more than the limit for user-bound keys, whatever replica is asked', async () => {
    await enrolment.addReplica();
    const learner = 'many@example.org';
    const scope = scopeOf({ email: learner });
    await enrolment.database.execute(sql`
      INSERT INTO registrations (realm_id, provider_application_id, course_guid, learner_id,
                                 registration_guid, provider_state)
      SELECT 1, 1, 'swimming', ${learner}, 'many-' || number, 'ready'
      FROM generate_series(1, ${learnerRegistrationsPerHour - 5}::integer) AS number`);
    const codes = await Promise.all(
      Array.from({ length: 12 }, () =>
        enrolment.create(learner, { scope }).then(
          () => 'created',
          (error: Failure) => error.code,
        ),
      ),
    );
    expect(codes.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'created'),
      ...Array.from({ length: 7 }, () => 'over-limit'),
    ]);
    // Others may, an existing registration is returned, and an hour later there is room again.
    await enrolment.create(learner);
    await enrolment.create(learner, { scope, dontDuplicate: true });
    await enrolment.create('another@example.org', {
      scope: scopeOf({ email: 'another@example.org' }),
    });
    await enrolment.database.execute(
      sql`UPDATE registrations SET created_at = created_at - interval '61 minutes'
          WHERE learner_id = ${learner}`,
    );
    await enrolment.create(learner, { scope });
  });

  it('fails as unauthenticated when a user-bound key names another learner', async () => {
    const scope = scopeOf({ email: 'someone@example.org' });
    await expect(enrolment.create(learner(), { scope })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    const own = await enrolment.create('Someone@example.org', { scope });
    expect(own.learner_id).toBe('Someone@example.org');
  });

  it('fails for an application out of reach, and for an unknown course', async () => {
    await expect(enrolment.create(learner(), { applicationId: 3 })).rejects.toMatchObject({
      code: 'unauthenticated',
    });
    await expect(enrolment.create(learner(), { courseGuid: 'flying' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('fails with the provider’s error for a refusal, and leaves no registration', async () => {
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
    await reconcile();
    expect(await rowsOf(learnerId)).toEqual([]);
  });

  it('succeeds after an earlier refusal', async () => {
    const learnerId = learner();
    enrolment.account(1).registrationLimit = 0;
    await failureOf(enrolment.create(learnerId, { dontDuplicate: true }));
    enrolment.account(1).registrationLimit = Infinity;
    const record = await enrolment.create(learnerId, { dontDuplicate: true });
    expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
    expect(await rowsOf(learnerId)).toHaveLength(1);
  });

  describe('registration create whose response from the provider is lost', () => {
    /** Drops connections from the next create on, before or after the provider has carried it out. */
    const dropConnections = (learnerId: string, carriedOut: boolean) => {
      let unavailable = false;
      enrolment.provider.intercept = async ({ method, path }) => {
        const isCreate = method === 'POST' && path === 'registrations';
        if (!isCreate) return unavailable ? 'drop' : undefined;
        const [row] = await rowsOf(learnerId);
        if (carriedOut && row && !unavailable) {
          enrolment.account(1).addRegistration(row.registration_guid, 'swimming', learnerId);
        }
        unavailable = true;
        return 'drop';
      };
    };
    const loseCreate = async (learnerId: string, carriedOut: boolean) => {
      dropConnections(learnerId, carriedOut);
      const failure = await failureOf(enrolment.create(learnerId, { dontDuplicate: true }));
      enrolment.provider.intercept = () => undefined;
      expect(failure.code).toBe('unavailable');
      expect(await enrolment.index({ learnerId })).toEqual([]);
    };

    it.each([true, false])(
      'creates one registration when only the connection was lost (create carried out: %s)',
      async (carriedOut) => {
        const learnerId = learner();
        dropConnections(learnerId, carriedOut);
        const lose = enrolment.provider.intercept;
        enrolment.provider.intercept = async (request) => {
          const response = await lose(request);
          if (response === 'drop') enrolment.provider.intercept = () => undefined;
          return response;
        };
        const record = await enrolment.create(learnerId);
        expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
        expect(await enrolment.index({ learnerId })).toHaveLength(1);
      },
    );

    it.each([true, false])(
      'registration create whose response from the provider is lost is completed by an identical create (carried out: %s)',
      async (carriedOut) => {
        const learnerId = learner();
        await loseCreate(learnerId, carriedOut);
        const record = await enrolment.create(learnerId, { dontDuplicate: true });
        expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
        expect(await enrolment.index({ learnerId })).toHaveLength(1);
        await reconcile();
        expect(await enrolment.index({ learnerId })).toHaveLength(1);
      },
    );

    it('registration create whose response from the provider is lost is completed when the same request is repeated', async () => {
      const learnerId = learner();
      const operation = { requestId: 'r', deadline: null, idempotencyKey: randomUUID() };
      dropConnections(learnerId, true);
      await failureOf(runInRequestContext(operation, () => enrolment.create(learnerId)));
      enrolment.provider.intercept = () => undefined;
      const record = await runInRequestContext(operation, () => enrolment.create(learnerId));
      expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
    });

    it('registration create whose response from the provider is lost is reconciled: confirmed if the provider holds the registration, else deleted', async () => {
      const [held, unheld] = [learner(), learner()];
      await loseCreate(held, true);
      await loseCreate(unheld, false);
      await reconcile();
      expect(await enrolment.index({ learnerId: held })).toMatchObject([{ learner_id: held }]);
      expect(await rowsOf(unheld)).toEqual([]);
      const created = await enrolment.published('enrolment.registration-created');
      const [row] = await rowsOf(held);
      expect(created).toContainEqual(
        expect.objectContaining({ registrationGuid: row?.registration_guid }),
      );
    });

    it('stays pending while its realm is disabled', async () => {
      const learnerId = learner();
      await loseCreate(learnerId, true);
      await enrolment.switchRealm(false);
      const { length } = enrolment.provider.requests;
      await reconcile();
      expect(enrolment.provider.requests).toHaveLength(length);
      expect(await rowsOf(learnerId)).toMatchObject([{ provider_state: 'pending' }]);
      await enrolment.switchRealm(true);
      await reconcile();
      expect(await rowsOf(learnerId)).toMatchObject([{ provider_state: 'ready' }]);
    });

    it('stays pending while the provider is unavailable or a create may be at work', async () => {
      const learnerId = learner();
      await loseCreate(learnerId, true);
      await enrolment.app.get(ReconcilePendingRegistrations).reconcileDue();
      expect(await rowsOf(learnerId)).toMatchObject([{ provider_state: 'pending' }]);
      enrolment.provider.intercept = () => ({ status: 500 });
      await reconcile();
      expect(await rowsOf(learnerId)).toMatchObject([{ provider_state: 'pending' }]);
    });

    it('registration create whose response from the provider is lost is not deleted when a create resumes it during reconciliation', async () => {
      const learnerId = learner();
      await loseCreate(learnerId, false);
      let again: Promise<unknown> = Promise.resolve();
      let lookups = 0;
      enrolment.provider.intercept = async ({ method }) => {
        // During the request of the reconciliation, an identical create runs to its end.
        if (method !== 'GET' || lookups++ > 0) return undefined;
        again = enrolment.create(learnerId, { dontDuplicate: true });
        await again;
        return { status: 404, body: { message: 'no such registration' } };
      };
      await reconcile();
      await again;
      expect(await enrolment.index({ learnerId })).toHaveLength(1);
      expect(atProvider(learnerId)).toHaveLength(1);
    });

    it('registration create whose response from the provider is lost is not deleted while a create that resumed it waits for the provider', async () => {
      const learnerId = learner();
      await loseCreate(learnerId, false);
      const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
      const { promise: reconciled, resolve: release } = Promise.withResolvers<void>();
      let again: Promise<unknown> = Promise.resolve();
      let lookups = 0;
      enrolment.provider.intercept = async ({ method }) => {
        if (method === 'POST') {
          reach();
          await reconciled;
          return undefined;
        }
        if (lookups++ > 0) return undefined;
        again = enrolment.create(learnerId, { dontDuplicate: true });
        await reached;
        return { status: 404, body: { message: 'no such registration' } };
      };
      await reconcile();
      release();
      await again;
      expect(await enrolment.index({ learnerId })).toHaveLength(1);
      expect(atProvider(learnerId)).toHaveLength(1);
    });

    it('fails as expired at the deadline when the provider does not respond', async () => {
      const learnerId = learner();
      const { promise: never, resolve: release } = Promise.withResolvers<undefined>();
      const asked = Promise.withResolvers<void>();
      enrolment.provider.intercept = () => {
        asked.resolve();
        return never;
      };
      const operation = { requestId: 'r', deadline: clock.now() + 60_000 };
      const failed = failureOf(
        runInRequestContext(operation, () => enrolment.create(learnerId, { dontDuplicate: true })),
      );
      await asked.promise;
      clock.step(60_000);
      const failure = await failed;
      expect(failure.code).toBe('expired');
      release(undefined);
      enrolment.provider.intercept = () => undefined;
      await enrolment.create(learnerId, { dontDuplicate: true });
      expect(await rowsOf(learnerId)).toHaveLength(1);
      expect(atProvider(learnerId)).toHaveLength(1);
    });
  });

  it('completes or deletes a registration whose create was interrupted before the provider', async () => {
    const [again, never] = [learner(), learner()];
    // A process that dies right after the first commit of a create leaves this row.
    for (const learnerId of [again, never]) {
      await enrolment.insert(1, 'swimming', learnerId, randomUUID(), {
        user_id: 1,
        provider_state: 'pending',
        settle_after: new Date(Date.now() + 40_000),
      });
    }
    await enrolment.create(again, { dontDuplicate: true });
    await reconcile();
    expect(atProvider(again)).toHaveLength(1);
    expect(await rowsOf(again)).toMatchObject([{ provider_state: 'ready' }]);
    expect(await rowsOf(never)).toEqual([]);
  });
});
