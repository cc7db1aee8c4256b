import { type BusClient } from '@registrar/bus';
import { listRealmNames } from '@registrar/contracts';
import * as z from 'zod';
import { callPage, installationCall, sessionCall } from '../calls/define-call.ts';
import { type ConsoleRoles, type RealmRole, roleIn } from '../sessions/roles.ts';

/** A realm of the realm picker. */
export interface SessionRealm {
  readonly guid: string;
  readonly name: string;
  readonly role: RealmRole;
  /** Since when nobody has access to the realm; null while it is enabled. */
  readonly disabledAt: string | null;
}

/** The most realms that the session lists. */
const maxRealms = 200;

async function realmsOf(
  bus: BusClient,
  roles: ConsoleRoles,
  filter: { readonly text: string | null; readonly cursor: string | null; readonly limit: number },
) {
  const { text, ...page } = filter;
  const guids = roles.operator ? null : Object.keys(roles.realms);
  const { items, next } = await bus.page(listRealmNames, { guids, text }, page);
  const realms = items.flatMap(({ guid, name, disabled_at: disabledAt }): SessionRealm[] => {
    const role = roleIn(roles, guid);
    return role === undefined ? [] : [{ guid, name, role, disabledAt }];
  });
  return { items: realms, next };
}

/**
 * Who is signed in. `realms` has the realms in which the user has a role, by name; for an operator the
 * first 200 of the installation, and `hasMoreRealms` when there are more: `session.find-realms` searches them.
 */
export const showSession = sessionCall({
  input: z.object({}),
  handle: async ({ bus, user: { name, roles } }) => {
    const first = { text: null, cursor: null, limit: maxRealms };
    const { items: realms, next } = await realmsOf(bus, roles, first);
    return { name, roles, realms, hasMoreRealms: next !== null };
  },
});

/** Searches the realms of the installation by name. */
export const findRealms = installationCall({
  input: z.object({ ...callPage, text: z.string().max(100).nullable().default(null) }),
  handle: ({ bus, user: { roles } }, filter) => realmsOf(bus, roles, filter),
});
