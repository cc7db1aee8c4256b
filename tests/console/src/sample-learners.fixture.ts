import { randomUUID } from 'node:crypto';
import {
  type AccessScope,
  addLearners,
  createInvitation,
  createRegistration,
  emailAddress,
  indexInvitations,
  type InvitationRecord,
  resolveAccess,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import type { ConsoleSystem } from './console-system.fixture.ts';

/** Returns an e-mail address that no other test uses. */
export const newLearner = (): string => `learner-${randomUUID()}@example.com`;

/** Creates registrations and invitations in the sample realm, as clients of the API do. */
export function sampleLearners({ clientBus: bus, quickstart, database }: ConsoleSystem) {
  const findScope = (): Promise<AccessScope> => {
    const { realm_guid: guid, realm_secret_key: secretKey } = quickstart;
    return bus.request(resolveAccess, { credentials: { mode: 'realm', guid, secretKey } });
  };
  return {
    /** Registers a learner for the sample course at the provider, and returns the registration's GUID. */
    async register(learner: string): Promise<string> {
      const { registration_guid: guid } = await bus.request(createRegistration, {
        scope: await findScope(),
        applicationId: null,
        courseGuid: quickstart.course_guid,
        learnerId: emailAddress.parse(learner),
        firstName: '',
        lastName: '',
        dontDuplicate: false,
        checkHosted: false,
      });
      return guid;
    },

    /** Stores a result, as a crawl does that is newer than all others. */
    async storeResult(guid: string, report: string): Promise<void> {
      await database('enrolment').execute(
        sql`UPDATE registrations
            SET complete = 'complete', success = 'succeeded', score = 87, attempts = 2,
                totaltime = 754, full_result = ${report}, launched_at = now() - interval '1 hour',
                result_sequence = 1000000000000, last_crawled_at = now(), updated_at = now()
            WHERE registration_guid = ${guid}`,
      );
    },

    /** Creates a license of the sample course. */
    license: async (seats: number, name = `License ${randomUUID()}`): Promise<InvitationRecord> =>
      bus.request(createInvitation, {
        scope: await findScope(),
        name,
        description: null,
        enabled: null,
        license: true,
        avoidDuplicateRegistrations: null,
        noUpdatesAllowed: null,
        custom: JSON.stringify({
          license_data: { [quickstart.course_guid]: { seats_available: seats } },
        }),
        licenseData: null,
        courseGuids: [quickstart.course_guid],
        invitationTemplateId: null,
      }),

    /** Finds an invitation by its id. */
    find: async (id: number): Promise<InvitationRecord[]> => {
      const input = { scope: await findScope(), filters: { id } };
      return (await bus.page(indexInvitations, input, { cursor: null, limit: 1 })).items;
    },

    /** Adds learners to an invitation. */
    add: async (
      { name }: { readonly name: string },
      learners: readonly string[],
    ): Promise<void> => {
      await bus.request(addLearners, {
        scope: await findScope(),
        name,
        learners: learners.map((learner) => emailAddress.parse(learner)),
        unlearners: [],
        nodelay: false,
        skipExternalInitialization: false,
      });
    },
  };
}
