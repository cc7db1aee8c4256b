import type { BusClient } from '@registrar/bus';
import {
  type AccessScope,
  addLearners,
  emailAddress,
  Failure,
  filterText,
  id,
  listAuditEntries,
  listInvitationCourses,
  listInvitationLearners,
  listInvitationSummaries,
  maxPreviewedLearners,
  previewLearners,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, realmCall } from '../calls/define-call.ts';

/** Lists the invitations and licenses of a realm, the newest first. */
export const listInvitations = realmCall({
  role: 'reader',
  input: z.object({ ...callPage, name: filterText.optional() }),
  handle: ({ bus, scope }, { name, cursor, limit }) =>
    bus.page(listInvitationSummaries, { scope, filters: { name } }, { cursor, limit }),
});

const invitation = { invitation: id };

/** @throws {Failure} `not-found` */
async function find(bus: BusClient, scope: AccessScope, invitationId: number) {
  const input = { scope, filters: { id: invitationId } };
  const { items } = await bus.page(listInvitationSummaries, input, { cursor: null, limit: 1 });
  if (!items[0]) throw new Failure('not-found', 'the realm has no such invitation');
  return items[0];
}

/** Shows an invitation. */
export const showInvitation = realmCall({
  role: 'reader',
  input: z.object(invitation),
  live: 4,
  handle: ({ bus, scope }, { invitation: invitationId }) => find(bus, scope, invitationId),
});

/** Lists the courses of an invitation, with their seats. */
export const listCoursesOfInvitation = realmCall({
  role: 'reader',
  input: z.object({ ...callPage, ...invitation }),
  handle: ({ bus, scope }, { invitation: invitationId, cursor, limit }) =>
    bus.page(listInvitationCourses, { scope, invitationId }, { cursor, limit }),
});

/** Lists the learners of an invitation, with what became of them. */
export const listLearners = realmCall({
  role: 'reader',
  input: z.object({ ...callPage, ...invitation, learner: filterText.optional() }),
  handle: ({ bus, scope }, { invitation: invitationId, learner, cursor, limit }) =>
    bus.page(
      listInvitationLearners,
      { scope, invitationId, learnerId: learner ?? null },
      { cursor, limit },
    ),
});

/** Lists the changes of an invitation's learners, the newest first, from the audit log. */
export const listInvitationActs = realmCall({
  role: 'reader',
  input: z.object({ ...callPage, ...invitation }),
  handle: async ({ bus, scope }, { realm, invitation: invitationId, cursor, limit }) => {
    await find(bus, scope, invitationId);
    const any = { since: null, until: null, action: null, apiKeyId: null, afterId: null };
    const input = { realmGuid: realm, ...any, invitationId, newestFirst: true };
    return bus.page(listAuditEntries, input, { cursor, limit });
  },
});

/** The rows of a file of learners. */
const learnerRows = z.array(z.string().max(400)).min(1).max(maxPreviewedLearners);

/** What adding the learner of a row would do. */
export interface PreviewedRow {
  /** As the file has it. */
  readonly learner: string;
  /**
   * `malformed`: no e-mail address; `repeated`: an earlier row names the learner; `joins`; `completed`: a member
   * who gets registrations that are missing; `member`: a member for whom nothing changes.
   */
  readonly outcome: 'malformed' | 'repeated' | 'joins' | 'completed' | 'member';
  /** The number of new and of existing registrations that the learner gets. */
  readonly created: number;
  readonly assigned: number;
  /** The titles of the first courses that the learner gets no registration for, and their number. */
  readonly withoutSeat: readonly string[];
  readonly withoutSeatCount: number;
  readonly deletedCourses: readonly string[];
  readonly deletedCoursesCount: number;
}

const nothing = {
  created: 0,
  assigned: 0,
  withoutSeat: [],
  withoutSeatCount: 0,
  deletedCourses: [],
  deletedCoursesCount: 0,
};

/** Says for each row of a file of learners what adding them would do now, and changes nothing. */
export const previewAddLearners = realmCall({
  role: 'administrator',
  input: z.object({ ...invitation, learners: learnerRows }),
  handle: async ({ bus, scope }, { invitation: invitationId, learners: rows }) => {
    const parsed = rows.map((row) => emailAddress.safeParse(row.trim()).data);
    const learners = parsed.filter((learner) => learner !== undefined);
    const { seats, ...reply } = await bus.request(previewLearners, {
      scope,
      invitationId,
      learners,
    });
    const left = new Map(reply.learners.map((each) => [each.learner_id.toLowerCase(), each]));
    const items = rows.map((learner, index): PreviewedRow => {
      const key = parsed[index]?.toLowerCase();
      if (key === undefined) return { learner, outcome: 'malformed', ...nothing };
      const planned = left.get(key);
      if (!planned) return { learner, outcome: 'repeated', ...nothing };
      left.delete(key);
      const { member, created, assigned } = planned;
      const changes = created + assigned > 0;
      return {
        learner,
        outcome: member ? (changes ? 'completed' : 'member') : 'joins',
        created,
        assigned,
        withoutSeat: planned.without_seat.map(({ title }) => title),
        withoutSeatCount: planned.without_seat_count,
        deletedCourses: planned.deleted_courses.map(({ title }) => title),
        deletedCoursesCount: planned.deleted_courses_count,
      };
    });
    return { closed: reply.closed, items: reply.closed === null ? items : [], seats };
  },
});

/** Adds learners to an invitation. Their registrations are created at the provider soon after. */
export const addLearnersToInvitation = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({
    ...invitation,
    learners: z.array(emailAddress).min(1).max(maxPreviewedLearners),
  }),
  handle: async ({ bus, scope }, { invitation: invitationId, learners }) => {
    const { name } = await find(bus, scope, invitationId);
    const { messages } = await bus.request(addLearners, {
      scope,
      name,
      learners,
      unlearners: [],
      nodelay: false,
      skipExternalInitialization: false,
    });
    return { messages };
  },
});
