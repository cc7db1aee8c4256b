import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessScope,
  type RegistrationRecord,
  updateRegistration,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import * as z from 'zod';
import { type EnrolmentFixture, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

describe('registration update', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
    await enrolment.insert(1, 'swimming', 'ada@example.org', 'of-ada');
    await enrolment.insert(1, 'swimming', 'bob@example.org', 'of-bob');
    await enrolment.insert(1, 'swimming', 'bob@example.org', 'inactive', { active: false });
    await enrolment.insert(3, 'swimming', 'ada@example.org', 'in-realm-2');
  });
  afterAll(() => enrolment.stop());

  const update = (
    registrationGuid: string,
    custom: RegistrationRecord['custom'],
    scope: AccessScope = scopeOf(),
  ) => enrolment.bus.request(updateRegistration, { scope, registrationGuid, custom });
  const customOf = async (registrationGuid: string) => {
    const { custom } = await enrolment.database.one(
      z.object({ custom: z.json() }),
      sql`SELECT custom FROM registrations WHERE registration_guid = ${registrationGuid}`,
    );
    return custom;
  };

  it('sets custom to any JSON and returns the record', async () => {
    for (const custom of [{ a: [1, null] }, 'text with \u0000', 7, false, null]) {
      expect(await update('of-ada', custom)).toMatchObject({ registration_guid: 'of-ada', custom });
      expect(await customOf('of-ada')).toEqual(custom);
    }
    expect(await customOf('of-bob')).toBeNull();
  });

  it('updates inactive registrations', async () => {
    expect(await update('inactive', { note: 'left' })).toMatchObject({ custom: { note: 'left' } });
  });

  it('returns not-found for a registration of another realm, application or learner', async () => {
    const scopes: [string, AccessScope][] = [
      ['in-realm-2', scopeOf()],
      ['of-bob', scopeOf({ applicationIds: [2] })],
      ['of-bob', scopeOf({ email: 'ada@example.org' })],
      ['nothing', scopeOf()],
    ];
    for (const [guid, scope] of scopes) {
      await expect(update(guid, 'mine', scope)).rejects.toMatchObject({ code: 'not-found' });
    }
    expect(await customOf('of-bob')).toBeNull();
    expect(await customOf('in-realm-2')).toBeNull();
  });

  it('updates the own registration of a user-bound key', async () => {
    const scope = scopeOf({ email: 'ADA@example.org' });
    expect(await update('of-ada', { seen: true }, scope)).toMatchObject({ custom: { seen: true } });
  });
});
