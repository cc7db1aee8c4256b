import { createInvitation } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { invitationDescription } from './invitation-description.ts';
import { invitationParameters, invitationText } from './invitation-parameters.ts';

/** Invitation: create and gcreate (decision 24). */
export const createInvitationOperation = defineOperation({
  name: 'invitation create',
  summary: 'Make an invitation.',
  routes: [
    { method: 'POST', path: '/invitation' },
    { method: 'GET', path: '/invitation/gcreate' },
  ],
  parameters: z.object({ name: z.string().min(1).max(255), ...invitationParameters }),
  record: invitationDescription,
  status: 201,
  refusals: [404],
  answer: async ({ bus, scope, parameters }) => ({
    record: await bus.request(createInvitation, {
      scope,
      name: parameters.name,
      ...invitationText(parameters),
    }),
  }),
});
