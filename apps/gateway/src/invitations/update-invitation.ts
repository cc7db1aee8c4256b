import { updateInvitation } from '#libs/contracts';
import * as z from 'zod';
import { namedBy } from '../operations/named-by.ts';
import { defineOperation } from '../operations/operation.ts';
import { invitationDescription } from './invitation-description.ts';
import { invitationParameters, invitationText } from './invitation-parameters.ts';

/** Invitation: update and gupdate; without `:id`, `name` says which invitation it is. */
export const updateInvitationOperation = defineOperation({
  name: 'invitation update',
  summary: 'Change an invitation.',
  routes: [
    { method: 'PUT', path: '/invitation/:id' },
    { method: 'POST', path: '/invitation/:id' },
    { method: 'GET', path: '/invitation/gupdate' },
    { method: 'GET', path: '/invitation/gupdate/:id' },
  ],
  parameters: z.object({ name: z.string().min(1).max(255).optional(), ...invitationParameters }),
  record: invitationDescription,
  status: 200,
  refusals: [404],
  answer: async ({ bus, scope, path, parameters }) => {
    const { item, newName } = namedBy(path['id'], parameters.name);
    return {
      record: await bus.request(updateInvitation, {
        scope,
        invitation: item,
        name: newName,
        ...invitationText(parameters),
      }),
    };
  },
});
