import { findRegistrationDetails } from '@registrar/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testScope } from '@registrar/testing';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from '../invitations/invitations.fixture.ts';

let enrolment: InvitationsFixture;
beforeAll(async () => {
  enrolment = await startInvitationsFixture();
});
afterAll(() => enrolment.stop());

const details = (registrationGuid: string, scope = enrolment.scope) =>
  enrolment.bus.request(findRegistrationDetails, { scope, registrationGuid });

it('shows the course, the state at the provider and the invitations of a registration', async () => {
  const license = await enrolment.createLicense(1);
  const learner = newLearner();
  await enrolment.add(license, [learner]);
  const [registration] = await enrolment.registrationsOf(learner);
  await enrolment.add(license, [], { unlearners: [learner] });
  expect(await details(registration!.registration_guid)).toEqual({
    course_title: 'Title of sailing',
    provider_state: 'local',
    initialize_attempts: 0,
    launch_open: null,
    launches_ended_at: null,
    invitations: [
      { id: license.id, name: license.name, license: true, holds_seat: false, member: false },
    ],
  });
});

it('shows a registration without a known course or an invitation', async () => {
  await enrolment.insert(1, 'unknown', newLearner(), 'details-alone');
  expect(await details('details-alone')).toMatchObject({ course_title: null, invitations: [] });
});

it('finds no registration of another realm', async () => {
  await enrolment.insert(1, 'sailing', newLearner(), 'details-foreign');
  const scope = testScope({ realmId: 2, applicationIds: [3], wholeRealm: true });
  await expect(details('details-foreign', scope)).rejects.toMatchObject({ code: 'not-found' });
});
