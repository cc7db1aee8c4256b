import {
  createRealmUser,
  emailAddress,
  Failure,
  indexRealmUsers,
  requireRealmAccess,
  updateRealmUser,
} from '@registrar/contracts';
import * as z from 'zod';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { exactFilter, idParameter, optionalText } from '../parameters/parameter-types.ts';
import { realmUserDefinition } from './realm-user-definition.ts';

const custom = optionalText(65_536).meta({
  description: 'Any text, usually JSON.',
  example: '{"badge":7}',
});
const realmRoleId = idParameter.optional().meta({ description: '1 for a learner.', example: '1' });

/** The operations on realm users (contract/realm-users). */
export const realmUserOperations: readonly Operation[] = [
  // contract/realm-users#index
  defineOperation({
    name: 'realm_user index',
    summary: "Lists the realm's users.",
    routes: [{ method: 'GET', path: '/realm_user' }],
    parameters: z.object({ email: exactFilter.describe('The user with this e-mail address.') }),
    record: realmUserDefinition,
    list: true,
    status: 200,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, parameters: { email } }) => ({
      pages: bus.pages(indexRealmUsers, { scope, filters: { email } }),
    }),
  }),

  // contract/realm-users#create
  defineOperation({
    name: 'realm_user create',
    summary: 'Creates a user of the realm.',
    routes: [
      { method: 'POST', path: '/realm_user' },
      { method: 'GET', path: '/realm_user/gcreate' },
    ],
    parameters: z.object({
      email: emailAddress.describe("The user's e-mail address."),
      custom,
      realm_role_id: realmRoleId,
    }),
    record: realmUserDefinition,
    status: 201,
    errorStatuses: [302],
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, parameters: { email, custom, realm_role_id } }) => ({
      record: await bus.request(createRealmUser, {
        scope,
        email,
        custom,
        realmRoleId: realm_role_id ?? null,
      }),
    }),
  }),

  // contract/realm-users#update
  defineOperation({
    name: 'realm_user update',
    summary: 'Changes a user of the realm.',
    routes: [
      { method: 'PUT', path: '/realm_user/:id' },
      { method: 'POST', path: '/realm_user/:id' },
      { method: 'PUT', path: '/realm_user' },
      { method: 'GET', path: '/realm_user/gupdate' },
      { method: 'GET', path: '/realm_user/gupdate/:id' },
    ],
    parameters: z.object({
      email: emailAddress.optional().describe('Without an id in the path: the user to change.'),
      custom,
      realm_role_id: realmRoleId,
    }),
    record: realmUserDefinition,
    status: 200,
    errorStatuses: [404],
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path, parameters: { email, custom, realm_role_id } }) => ({
      record: await bus.request(updateRealmUser, {
        scope,
        user: userToUpdate(path['id'], email),
        custom,
        realmRoleId: realm_role_id ?? null,
      }),
    }),
  }),
];

/** Identifies the user by `:id` or by `email` (contract/realm-users#update-routes). */
function userToUpdate(id: string | undefined, email: z.output<typeof emailAddress> | undefined) {
  if (id !== undefined && email !== undefined) {
    throw new Failure('invalid', 'both an id and an e-mail address are given');
  }
  if (email !== undefined) return { by: 'email' as const, email };
  const number = idParameter.safeParse(id);
  if (!number.success) throw new Failure('not-found', 'no id or e-mail address is given');
  return { by: 'id' as const, id: number.data };
}
