import { createRealmUser, emailAddress } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { idNumber, optionalText } from '../parameters/parameter-types.ts';
import { realmUserDescription } from './realm-user-description.ts';

/** Realm user: create and gcreate; 302 when there is one (decision 23). */
export const createRealmUserOperation = defineOperation({
  name: 'realm_user create',
  summary: 'Make a user of the realm.',
  routes: [
    { method: 'POST', path: '/realm_user' },
    { method: 'GET', path: '/realm_user/gcreate' },
  ],
  parameters: z.object({
    email: emailAddress,
    custom: optionalText(65_536),
    realm_role_id: idNumber.optional(),
  }),
  record: realmUserDescription,
  status: 201,
  refusals: [302],
  answer: async ({ bus, scope, parameters: { email, custom, realm_role_id } }) => ({
    record: await bus.request(createRealmUser, {
      scope,
      email,
      custom,
      realmRoleId: realm_role_id ?? null,
    }),
  }),
});
