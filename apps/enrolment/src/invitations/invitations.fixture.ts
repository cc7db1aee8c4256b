import { type InputOf, type ReplyOf } from '@registrar/bus';
import {
  type AccessScope,
  addLearners,
  createInvitation,
  indexInvitations,
  type InvitationRecord,
  type RegistrationRecord,
  updateInvitation,
} from '@registrar/contracts';
import { sql } from '@registrar/persistence';
import { randomUUID } from 'node:crypto';
import type { EnrolmentSettings } from '../settings.ts';
import { email, scopeOf, startEnrolmentFixture } from '../enrolment.fixture.ts';

/** Courses that only provider application 1 of the realm has. */
export const courseGuids = ['sailing', 'rowing', 'surfing'];

/** The messages of add_learners about what was not done. */
export const problemsIn = (messages: readonly string[]): string[] =>
  messages.filter((message) => !message.startsWith('Success!'));

export type InvitationsFixture = Awaited<ReturnType<typeof startInvitationsFixture>>;

/** Starts the enrolment app with a filled copy of courses, and returns requests about invitations. */
export async function startInvitationsFixture(settings: Partial<EnrolmentSettings> = {}) {
  const enrolment = await startEnrolmentFixture(settings);
  const { bus, database } = enrolment;
  const scope = scopeOf();
  courseGuids.forEach((guid) => enrolment.account(1).addCourse(guid));
  await database.execute(sql`
    INSERT INTO courses (id, provider_application_id, course_guid, title, deleted, version)
    SELECT 1000 + place, 1, guid, 'Title of ' || guid, false, 1
    FROM unnest(${courseGuids}::text[]) WITH ORDINALITY AS c (guid, place)
    UNION ALL
    SELECT 2000 + id, id, 'both', 'Both', false, 1 FROM generate_series(1, 2) AS id`);

  const create = (
    parts: Partial<InputOf<typeof createInvitation>> = {},
  ): Promise<InvitationRecord> =>
    bus.request(createInvitation, {
      scope,
      name: `invitation ${randomUUID()}`,
      description: null,
      enabled: null,
      license: null,
      avoidDuplicateRegistrations: null,
      noUpdatesAllowed: null,
      custom: null,
      licenseData: null,
      courseGuids,
      invitationTemplateId: null,
      ...parts,
    });

  return {
    ...enrolment,
    scope,
    createInvitation: create,

    /** Creates a license for `sailing` alone. */
    createLicense: (
      seats: number,
      parts: Partial<InputOf<typeof createInvitation>> = {},
    ): Promise<InvitationRecord> =>
      create({
        license: true,
        courseGuids: ['sailing'],
        custom: customOf({ sailing: seats }),
        ...parts,
      }),

    update: (
      { id }: InvitationRecord,
      parts: Partial<InputOf<typeof updateInvitation>>,
    ): Promise<InvitationRecord> =>
      bus.request(updateInvitation, {
        scope,
        invitation: { by: 'id', id },
        name: null,
        description: null,
        enabled: null,
        license: null,
        avoidDuplicateRegistrations: null,
        noUpdatesAllowed: null,
        custom: null,
        licenseData: null,
        courseGuids: null,
        invitationTemplateId: null,
        ...parts,
      }),

    /** Adds and removes learners, by default without creating registrations at the provider. */
    add: (
      { name }: { name: string },
      learners: readonly string[],
      parts: Partial<Omit<InputOf<typeof addLearners>, 'unlearners'>> & {
        unlearners?: readonly string[];
      } = {},
    ): Promise<ReplyOf<typeof addLearners>> =>
      bus.request(addLearners, {
        scope,
        name,
        learners: learners.map(email),
        nodelay: false,
        skipExternalInitialization: true,
        ...parts,
        unlearners: (parts.unlearners ?? []).map(email),
      }),

    async list(
      filters: InputOf<typeof indexInvitations>['filters'] = {},
      parts: { scope?: AccessScope; pageSize?: number } = {},
    ): Promise<InvitationRecord[]> {
      const records: InvitationRecord[] = [];
      const input = { scope: parts.scope ?? scope, filters };
      for await (const { items: page } of bus.pages(indexInvitations, input, parts.pageSize)) {
        records.push(...page);
      }
      return records;
    },

    /** Returns the active registrations of a learner. */
    registrationsOf: (learnerId: string): Promise<RegistrationRecord[]> =>
      enrolment.index({ learnerId }),

    /** Stores that a registration was launched. */
    noteLaunch: (registrationGuid: string): Promise<unknown> =>
      database.execute(
        sql`UPDATE registrations SET launched_at = now()
            WHERE provider_application_id = 1 AND registration_guid = ${registrationGuid}`,
      ),
  };
}

/** Returns `custom` of a license with these seats. */
export const customOf = (seats: Record<string, number>): string =>
  JSON.stringify({
    license: 'L-1',
    license_data: Object.fromEntries(
      Object.entries(seats).map(([guid, count]) => [guid, { seats_available: count }]),
    ),
  });

/** Returns the free seats that an invitation's record shows, by course GUID. */
export function freeSeats({ custom }: InvitationRecord): Record<string, number> {
  const { license_data: data } = JSON.parse(custom ?? '') as {
    license_data: Record<string, { seats_available: number }>;
  };
  return Object.fromEntries(
    Object.entries(data).map(([guid, { seats_available }]) => [guid, seats_available]),
  );
}

/** Returns an e-mail address that no other test uses. */
export const newLearner = (): string => `learner-${randomUUID()}@example.com`;
