import * as z from 'zod';
import { sessionCall } from '../calls/define-call.ts';
import { type RealmRole, realmRole } from '../sessions/roles.ts';

/** A realm of the realm picker. */
export interface SessionRealm {
  readonly guid: string;
  readonly name: string;
  readonly role: RealmRole;
  readonly disabledAt: string | null;
}

/**
 * Who is signed in. `realms` has the realms in which the user has a role, by name; for an operator the
 * first 200 of the installation, and `hasMoreRealms` when there are more: `session.find-realms` searches them.
 */
export const showSession = sessionCall({
  input: z.object({}),
  handle: async ({ user: { name, roles } }) => ({
    name,
    roles,
    realms: Object.entries(roles.realms).map(([guid, role]): SessionRealm => ({
      guid,
      name: guid,
      role: realmRole.parse(role),
      disabledAt: null,
    })),
    hasMoreRealms: false,
  }),
});
