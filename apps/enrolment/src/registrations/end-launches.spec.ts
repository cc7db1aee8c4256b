import { launchRegistration, toTimestamp } from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scopeOf } from '../enrolment.fixture.ts';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from '../invitations/invitations.fixture.ts';
import { EndLaunches } from './end-launches.ts';
import { InitializeRegistrations } from './initialize-registrations.ts';
import { RecordRealmSwitch } from './record-realm-switch.ts';

describe('the launches of a registration that becomes inactive', () => {
  let enrolment: InvitationsFixture;
  beforeAll(async () => {
    enrolment = await startInvitationsFixture();
  });
  afterAll(() => enrolment.stop());

  const endDue = () => enrolment.app.get(EndLaunches).endDue();
  const ended = () => enrolment.account(1).endedLaunches;
  /** Adds a learner to a new invitation of one course, and launches the course. */
  const launched = async (isLaunched = true) => {
    const learner = newLearner();
    const invitation = await enrolment.createLicense(1);
    const { record } = await enrolment.add(invitation, [learner], {
      skipExternalInitialization: false,
    });
    const [registrationGuid = ''] = record.registration_guids;
    while ((await enrolment.app.get(InitializeRegistrations).initializeDue()) > 0);
    if (isLaunched) await launch(registrationGuid);
    return { invitation, learner, registrationGuid };
  };
  const launch = (registrationGuid: string) =>
    enrolment.bus.request(launchRegistration, {
      scope: scopeOf(),
      registrationGuid,
      review: false,
      redirectUrl: null,
    });

  it('the launches of a registration that becomes inactive end at the provider, once for each removal of the learner', async () => {
    const { invitation, learner, registrationGuid } = await launched();
    await endDue();
    expect(ended()).toEqual([]);
    await enrolment.add(invitation, [], { unlearners: [learner] });
    await endDue();
    await endDue();
    expect(ended()).toEqual([registrationGuid]);
    await enrolment.add(invitation, [learner]);
    await launch(registrationGuid);
    await endDue();
    await enrolment.add(invitation, [], { unlearners: [learner] });
    await endDue();
    expect(ended()).toEqual([registrationGuid, registrationGuid]);
  });

  it('the launches of a registration that becomes inactive end as soon as the provider is available, and need no end if there were none', async () => {
    const [used, unused] = [await launched(), await launched(false)];
    ended().length = 0;
    enrolment.provider.intercept = ({ path }) => (path.endsWith('/launches') ? 'drop' : undefined);
    for (const { invitation, learner } of [used, unused]) {
      await enrolment.add(invitation, [], { unlearners: [learner] });
    }
    expect(await endDue()).toBe(false);
    expect(ended()).toEqual([]);
    enrolment.provider.intercept = () => undefined;
    // Its application is left alone for a minute.
    const late = await launched();
    await enrolment.add(late.invitation, [], { unlearners: [late.learner] });
    await endDue();
    expect(ended()).toEqual([]);
    await enrolment.database.execute(
      sql`UPDATE registrations SET end_launches_after = now() WHERE end_launches_after > now()`,
    );
    await endDue();
    expect(ended().toSorted()).toEqual([used.registrationGuid, late.registrationGuid].toSorted());
  });

  it('the launches of a registration that becomes inactive end once although several replicas are at work', async () => {
    const { invitation, learner, registrationGuid } = await launched();
    await enrolment.add(invitation, [], { unlearners: [learner] });
    ended().length = 0;
    await Promise.all([endDue(), endDue(), endDue()]);
    expect(ended()).toEqual([registrationGuid]);
  });

  it('the launches of a registration that becomes inactive end again when the learner launches the course while they are being ended', async () => {
    const { invitation, learner, registrationGuid } = await launched();
    await enrolment.add(invitation, [], { unlearners: [learner] });
    ended().length = 0;
    enrolment.provider.intercept = async ({ path }) => {
      if (!path.endsWith('/launches')) return;
      enrolment.provider.intercept = () => undefined;
      await enrolment.add(invitation, [learner]);
      await launch(registrationGuid);
      await enrolment.add(invitation, [], { unlearners: [learner] });
    };
    await endDue();
    await endDue();
    expect(ended()).toEqual([registrationGuid, registrationGuid]);
  });

  it('the launches of a registration that becomes inactive end while the realm is disabled, and not after it was enabled', async () => {
    const [used, unused] = [await launched(), await launched(false)];
    ended().length = 0;
    const { realmId } = scopeOf();
    const turn = (enabled: boolean, version: number, at = new Date()) =>
      enrolment.app.get(RecordRealmSwitch).record({
        realmId,
        enabled,
        version,
        at: toTimestamp(at),
        appIds: [],
      });
    const inAnHour = new Date(Date.now() + 3_600_000);
    await turn(false, 1);
    await endDue();
    await endDue();
    expect(ended()).toContain(used.registrationGuid);
    expect(ended()).not.toContain(unused.registrationGuid);
    expect(new Set(ended()).size).toBe(ended().length);
    // A request that was admitted just before.
    await launch(unused.registrationGuid);
    await endDue();
    expect(ended()).toContain(unused.registrationGuid);
    ended().length = 0;
    await turn(true, 3);
    // The event of an earlier change arrives late.
    await turn(false, 2, inAnHour);
    await launch(used.registrationGuid);
    await endDue();
    expect(ended()).toEqual([]);
  });
});
