import { guid, type Permission } from '@registrar/contracts';
import * as z from 'zod';

/** The roles in a realm, the least first: each has what the roles before it have. */
export const realmRole = z.enum(['reader', 'author', 'administrator']);
export type RealmRole = z.infer<typeof realmRole>;

/** What a user of the console may see and change. */
export const consoleRoles = z.object({
  /** The operator has every page and every realm. */
  operator: z.boolean(),
  /** The role in each realm, by the realm's GUID. */
  realms: z.record(guid, realmRole),
});
export type ConsoleRoles = Readonly<z.infer<typeof consoleRoles>>;

/** The operator's roles. */
export const operatorRoles: ConsoleRoles = { operator: true, realms: {} };

/** The most realms in which a user has roles; those beyond are ignored. */
const maxRealms = 200;

/**
 * The roles that a claim of the identity provider gives: a list of `operator`, `administrator:REALM`,
 * `author:REALM` and `reader:REALM` with GUIDs of realms. Anything else in it is ignored; of several roles
 * in a realm the highest counts.
 */
export function rolesOfClaim(claim: unknown): ConsoleRoles {
  const realms: Record<string, RealmRole> = {};
  let operator = false;
  for (const text of Array.isArray(claim) ? (claim as unknown[]) : []) {
    if (typeof text !== 'string') continue;
    if (text === 'operator') operator = true;
    const colon = text.indexOf(':');
    const role = realmRole.safeParse(text.slice(0, Math.max(0, colon)));
    const realm = guid.safeParse(text.slice(colon + 1));
    if (!role.success || !realm.success) continue;
    const held = Object.hasOwn(realms, realm.data) ? realms[realm.data] : undefined;
    if (held === undefined && Object.keys(realms).length >= maxRealms) continue;
    if (held === undefined || reaches(role.data, held)) realms[realm.data] = role.data;
  }
  return { operator, realms };
}

/** Whether there is any role, without which nobody signs in. */
export const hasRole = ({ operator, realms }: ConsoleRoles): boolean =>
  operator || Object.keys(realms).length > 0;

/** Whether `held` has what `required` has. */
export const reaches = (held: RealmRole, required: RealmRole): boolean =>
  realmRole.options.indexOf(held) >= realmRole.options.indexOf(required);

/** The role in a realm; undefined for none. The operator is administrator of every realm. */
export const roleIn = (
  { operator, realms }: ConsoleRoles,
  realm: string,
): RealmRole | undefined => {
  if (operator) return 'administrator';
  return Object.hasOwn(realms, realm) ? realms[realm] : undefined;
};

/** The permissions of an access scope for a role (contract/api-keys#permissions). */
export const permissionsOf = (role: RealmRole): readonly Permission[] =>
  role === 'reader' ? ['read'] : ['read', 'write', 'launch'];
