import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { type EnrolmentFixture, startEnrolmentFixture } from '../enrolment.fixture.ts';

describe('registration create with check_hosted', () => {
  let enrolment: EnrolmentFixture;

  beforeAll(async () => {
    enrolment = await startEnrolmentFixture();
  });
  afterAll(() => enrolment.stop());

  const learner = () => `learner-${randomUUID()}@example.org`;
  const atProvider = (learnerId: string) =>
    [...enrolment.account(1).registrations.values()].filter(
      (registration) => registration.learner.id === learnerId,
    );

  it('adopts the registration that the provider has for the learner and the course', async () => {
    const learnerId = learner();
    const guid = randomUUID();
    enrolment.account(1).addRegistration(guid, 'swimming', learnerId);
    enrolment.account(1).addRegistration(randomUUID(), 'diving', learnerId);
    const record = await enrolment.create(learnerId, { dontDuplicate: true, checkHosted: true });
    expect(record).toMatchObject({ registration_guid: guid, learner_id: learnerId });
    expect(await enrolment.index({ learnerId })).toHaveLength(1);
    expect(await enrolment.published('enrolment.registration-created')).toContainEqual(
      expect.objectContaining({ registrationGuid: guid }),
    );
  });

  it('creates a registration when the provider has none', async () => {
    const learnerId = learner();
    const record = await enrolment.create(learnerId, { dontDuplicate: true, checkHosted: true });
    expect(atProvider(learnerId)).toMatchObject([{ id: record.registration_guid }]);
  });

  it('registration create with check_hosted has no effect when duplicates are allowed', async () => {
    const learnerId = learner();
    enrolment.account(1).addRegistration(randomUUID(), 'swimming', learnerId);
    await enrolment.create(learnerId, { checkHosted: true });
    expect(atProvider(learnerId)).toHaveLength(2);
  });
});
