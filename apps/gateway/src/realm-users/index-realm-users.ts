import { indexRealmUsers } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { exact } from '../parameters/parameter-types.ts';
import { realmUserDescription } from './realm-user-description.ts';

/** Realm user: index. */
export const indexRealmUsersOperation = defineOperation({
  name: 'realm_user index',
  summary: "List the realm's users.",
  routes: [{ method: 'GET', path: '/realm_user' }],
  parameters: z.object({ email: exact }),
  record: realmUserDescription,
  list: true,
  status: 200,
  answer: async ({ bus, scope, parameters: { email } }) => ({
    pages: bus.pages(indexRealmUsers, { scope, filters: { email } }),
  }),
});
