import type { Tenant } from '../tenant.ts';
import type { ConsoleClient } from './console-client.ts';

/**
 * Calls by the least role that reaches them, of each kind and effect. apps/console/src/calls/calls.spec.ts tries every
 * call with every role; this tries them over HTTP, with sessions that an identity provider has begun.
 */
const callsByRole = {
  reader: ['registrations.list', 'registrations.show', 'courses.list', 'invitations.list-learners'],
  author: ['courses.delete', 'courses.preview', 'registrations.recrawl', 'registrations.preview'],
  administrator: [
    'api-keys.create',
    'api-keys.revoke',
    'audit.list',
    'invitations.add-learners',
    'provider-applications.replace-secret',
    'provider-applications.show-postback',
    'reports.run',
  ],
  operator: [
    'audit.list-all',
    'overview.apps',
    'parked-events.discard',
    'provider-applications.list-all',
    'provider-applications.rotate-own-secret',
    'realms.create',
    'realms.list',
    'realms.rotate-secret',
    'realms.switch',
    'session.find-realms',
  ],
} as const;
type Role = keyof typeof callsByRole;
const roles = Object.keys(callsByRole) as Role[];

/** An input that no call accepts: whoever reaches the call is told that it is malformed, and nothing happens. */
const malformed = { cursor: 7, limit: -1, name: 7, context: 7, application: 'x', registration: 7 };

/** Tries calls with roles that do not reach them, in both realms. Returns the violations. */
export async function tryRoles(
  client: ConsoleClient,
  own: Tenant,
  foreign: Tenant,
): Promise<string[]> {
  const violations: string[] = [];
  for (const [place, role] of roles.entries()) {
    const claim = role === 'operator' ? role : `${role}:${own.realmGuid}`;
    const cookie = await client.cookieOf(`${role} of the attack`, [claim]);
    for (const [needed, names] of Object.entries(callsByRole)) {
      const isReached = roles.indexOf(needed as Role) <= place;
      for (const name of names) {
        for (const realm of [own.realmGuid, foreign.realmGuid, [own.realmGuid], '__proto__']) {
          const isOwn = realm === own.realmGuid;
          const reaches = role === 'operator' || (isReached && isOwn && needed !== 'operator');
          const { status } = await client.call(cookie, name, { ...malformed, realm });
          if (reaches || status === 403) continue;
          violations.push(`${role} got ${status} for ${name} with the realm ${String(realm)}`);
        }
      }
    }
  }
  const reader = await client.cookieOf('reader of the attack', [`reader:${own.realmGuid}`]);
  for (const name of [
    'constructor',
    '__proto__',
    'toString',
    'realms.create%00',
    encodeURIComponent('../sign-out'),
  ]) {
    const { status } = await client.call(reader, name, {});
    if (status !== 404 && status !== 400) violations.push(`the call ${name} got ${status}`);
  }
  return violations;
}
