import { afterEach, describe, expect, it } from 'vitest';
import { readSettings, SettingsError } from '@registrar/platform';
import {
  type InvitationsFixture,
  newLearner,
  startInvitationsFixture,
} from '../invitations/invitations.fixture.ts';
import { enrolmentSettings, type EnrolmentSettings } from '../settings.ts';
import { InitializeRegistrations } from './initialize-registrations.ts';

describe('the provider of a new registration', () => {
  let invitations: InvitationsFixture;
  afterEach(() => invitations.stop());

  /** Creates one registration alone, and one by an invitation. */
  const createBoth = async (settings: Partial<EnrolmentSettings>) => {
    invitations = await startInvitationsFixture(settings);
    await invitations.create(newLearner());
    const invitation = await invitations.createInvitation({ courseGuids: ['sailing'] });
    await invitations.add(invitation, [newLearner()], { skipExternalInitialization: false });
    await invitations.app.get(InitializeRegistrations).initializeDue();
    const { registrations, postbacks } = invitations.account(1);
    expect(registrations.size).toBe(2);
    return [...registrations.keys()].map((guid) => postbacks.get(guid));
  };

  it('the provider of a new registration is told where to post its results if POSTBACK_URL is set', async () => {
    const target = {
      url: 'http://gateway:8080/prefix/postbacks/1',
      userName: 'postback',
      password: 'postbacks of app-1',
      authType: 'HTTPBASIC',
      resultsFormat: 'COURSE',
    };
    expect(await createBoth({ POSTBACK_URL: 'http://gateway:8080/prefix/' })).toEqual([
      target,
      target,
    ]);
  });

  it('the provider of a new registration is told nothing without POSTBACK_URL', async () => {
    expect(await createBoth({})).toEqual([undefined, undefined]);
  });
});

describe('POSTBACK_URL', () => {
  it('POSTBACK_URL is the base of an address, without a user, query and fragment', () => {
    const read = (url: string) =>
      readSettings(enrolmentSettings, {
        DATABASE_URL: 'postgres://localhost/registrar',
        MASTER_KEY_FILE: 'master.key',
        POSTBACK_URL: url,
      }).POSTBACK_URL;
    expect(read('https://registrar.example.com')).toBe('https://registrar.example.com');
    expect(read('')).toBeUndefined();
    for (const wrong of ['gateway:8080', 'ftp://a', 'http://u:p@a', 'http://a?b', 'http://a#b']) {
      expect(() => read(wrong)).toThrow(SettingsError);
    }
  });
});
