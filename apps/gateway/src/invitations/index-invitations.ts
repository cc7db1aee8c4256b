import { indexInvitations } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { exact, idNumber } from '../parameters/parameter-types.ts';
import { invitationDescription } from './invitation-description.ts';

/** An invitation may have thousands of learners: few of them make a page. */
const pageSize = 20;

/** Invitation: index (decision 24). */
export const indexInvitationsOperation = defineOperation({
  name: 'invitation index',
  summary: "List the realm's invitations.",
  routes: [{ method: 'GET', path: '/invitation' }],
  parameters: z.object({ id: idNumber.optional(), name: exact }),
  record: invitationDescription,
  list: true,
  status: 200,
  answer: async ({ bus, scope, parameters }) => ({
    pages: bus.pages(indexInvitations, { scope, filters: parameters }, pageSize),
  }),
});
