import type { AuditAction, AuditActor } from '@registrar/contracts';
import * as z from 'zod/mini';

/** The acts that the audit log records. */
const actions: Readonly<Record<AuditAction, true>> = {
  'api-key.created': true,
  'api-key.first-used': true,
  'api-key.renewed': true,
  'api-key.revoked': true,
  'api-key.shortened': true,
  'application.changed': true,
  'application.created': true,
  'application.postback-rotated': true,
  'audit.limit-reached': true,
  'course.configured': true,
  'course.created': true,
  'course.deleted': true,
  'course.version-deleted': true,
  'crawl.configured': true,
  'crawl.requested': true,
  'invitation.deleted': true,
  'learner.changed-at-provider': true,
  'learner.erased-at-provider': true,
  'learners.changed': true,
  'list.exported': true,
  'query.deleted': true,
  'query.stored': true,
  'realm-user.created': true,
  'realm-user.updated': true,
  'realm.compatibility-changed': true,
  'realm.created': true,
  'realm.disabled': true,
  'realm.enabled': true,
  'realm.limits-changed': true,
  'realm.secret-rotated': true,
  'registration.deleted': true,
  'secrets.resealed': true,
};
export const auditActionNames = Object.keys(actions) as AuditAction[];

type ActorKind = AuditActor['kind'];

/** The kinds of actors. */
export const actorKinds = [
  'api_key',
  'console',
  'operator',
  'provider',
  'realm',
] as const satisfies readonly ActorKind[];

const optionalText = z.catch(z.optional(z.string()), undefined);
const day = z.catch(z.optional(z.iso.date()), undefined);

/** The filters and the place of the audit log in the address. */
export const auditSearch = z.object({
  /** The first and the last day, in the reader's zone. */
  from: day,
  to: day,
  action: z.catch(z.optional(z.enum(auditActionNames)), undefined),
  actor: z.catch(z.optional(z.enum(actorKinds)), undefined),
  /** The console's user that acted. */
  user: optionalText,
  /** Id of an API key. */
  key: z.catch(z.optional(z.coerce.number().check(z.int(), z.minimum(1))), undefined),
  cursor: optionalText,
});
export type AuditSearch = z.output<typeof auditSearch>;

/** The beginning of a day in the reader's zone, as a time with an offset. */
const beginOf = (date: string, days: number): string => {
  const begin = new Date(`${date}T00:00`);
  begin.setDate(begin.getDate() + days);
  return begin.toISOString();
};

/** The input of the calls that list the audit log. */
export const auditInput = ({ from, to, action, actor, user, key, cursor }: AuditSearch) => ({
  since: from === undefined ? null : beginOf(from, 0),
  until: to === undefined ? null : beginOf(to, 1),
  action: action ?? null,
  actor: actor ?? null,
  actorName: user ?? null,
  key: key ?? null,
  cursor: cursor ?? null,
});
