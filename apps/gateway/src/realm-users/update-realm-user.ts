import { emailAddress, Failure, updateRealmUser } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { idNumber, optionalText } from '../parameters/parameter-types.ts';
import { realmUserDescription } from './realm-user-description.ts';

/** Realm user: update and gupdate; the user is named by `:id` or by `email` (decision 23). */
export const updateRealmUserOperation = defineOperation({
  name: 'realm_user update',
  summary: 'Change a user of the realm.',
  routes: [
    { method: 'PUT', path: '/realm_user/:id' },
    { method: 'POST', path: '/realm_user/:id' },
    { method: 'PUT', path: '/realm_user' },
    { method: 'GET', path: '/realm_user/gupdate' },
    { method: 'GET', path: '/realm_user/gupdate/:id' },
  ],
  parameters: z.object({
    email: emailAddress.optional(),
    custom: optionalText(65_536),
    realm_role_id: idNumber.optional(),
  }),
  record: realmUserDescription,
  status: 200,
  refusals: [404],
  answer: async ({ bus, scope, path, parameters: { email, custom, realm_role_id } }) => ({
    record: await bus.request(updateRealmUser, {
      scope,
      user: named(path['id'], email),
      custom,
      realmRoleId: realm_role_id ?? null,
    }),
  }),
});

function named(id: string | undefined, email: z.output<typeof emailAddress> | undefined) {
  if (id !== undefined && email !== undefined) {
    throw new Failure('invalid', 'both an id and an e-mail address name the user');
  }
  if (email !== undefined) return { by: 'email' as const, email };
  const number = idNumber.safeParse(id);
  if (!number.success) throw new Failure('not-found', 'no realm user is named');
  return { by: 'id' as const, id: number.data };
}
