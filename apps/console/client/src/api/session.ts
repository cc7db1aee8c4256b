import { useSuspenseQuery } from '@tanstack/react-query';
import type { CallReply } from '../../../src/calls/calls.ts';
import { callQuery } from './use-call.ts';

export type Session = CallReply<'session.show'>;
export type SessionRealm = Session['realms'][number];
export type RealmRole = SessionRealm['role'];

export const sessionQuery = { ...callQuery('session.show', {}), staleTime: 60_000 };

/** Who is signed in. For components below the shell, whose route has loaded the session. */
export const useSession = (): Session => useSuspenseQuery(sessionQuery).data;

/** The roles in a realm, the least first: each has what the roles before it have. */
const realmRoles: readonly RealmRole[] = ['reader', 'author', 'administrator'];

/** Who may see a page: everybody who is signed in, operators, or whoever has at least a role in the page's realm. */
export type PageAccess = 'everybody' | 'operator' | RealmRole;

/**
 * Whether a user may see a page.
 *
 * @param realm GUID of the page's realm, for pages of a realm
 */
export function maySee({ roles }: Session, access: PageAccess, realm: string | undefined): boolean {
  if (access === 'everybody' || roles.operator) return true;
  if (access === 'operator' || realm === undefined) return false;
  const held = roles.realms[realm];
  return held !== undefined && realmRoles.indexOf(held) >= realmRoles.indexOf(access);
}
