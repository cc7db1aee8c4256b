import * as z from 'zod';
import type { AccessScope } from './access.ts';
import { defineEvent, defineList, defineRequest } from './message.ts';
import { guid, id, ipAddress } from './values.ts';

/** The acts that the audit log records: the thing, and what was done to it. */
export const auditActions = [
  'realm.created',
  'realm.secret-rotated',
  'realm.disabled',
  'realm.enabled',
  'realm.limits-changed',
  'realm.compatibility-changed',
  'application.created',
  'application.changed',
  'application.postback-rotated',
  'secrets.resealed',
  'api-key.created',
  'api-key.first-used',
  'api-key.renewed',
  'api-key.shortened',
  'api-key.revoked',
  'realm-user.created',
  'realm-user.updated',
  'query.stored',
  'query.deleted',
  'learners.changed',
  'learner.changed-at-provider',
  'learner.erased-at-provider',
  'invitation.deleted',
  'registration.deleted',
  'course.created',
  'course.configured',
  'course.deleted',
  'course.version-deleted',
  'crawl.configured',
  'crawl.requested',
  'list.exported',
  'audit.limit-reached',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The name of an act as messages carry it: another version may know others. */
export const auditActionName = z
  .string()
  .max(64)
  .regex(/^[a-z-]+\.[a-z-]+$/);

/** The name of a user of the console: an e-mail address, or the identity provider's subject. */
export const consoleUserName = z.string().min(1).max(200);

/**
 * Who acted: an API key (`id` is the key's), a realm pair, a provider pair (`id` is the provider
 * application's), the operator by the command line, or a user of the console (`name` is the user's).
 */
export const auditActor = z.object({
  kind: z.enum(['api_key', 'realm', 'provider', 'operator', 'console']),
  id: id.nullable(),
  /** The provider application of a provider pair, and of an API key that is limited to one; else null. */
  applicationId: id.nullable(),
  /** The console's user: an e-mail address, or the identity provider's subject. Absent for other actors. */
  name: consoleUserName.optional(),
});
export type AuditActor = z.infer<typeof auditActor>;

/** The operator, by the command line. */
export const operatorActor: AuditActor = { kind: 'operator', id: null, applicationId: null };

/** The actor of a request with this scope. */
export function auditActorOf(scope: AccessScope): AuditActor {
  const applicationId = scope.wholeRealm ? null : (scope.applicationIds[0] ?? null);
  switch (scope.mode) {
    case 'api_key':
      return { kind: 'api_key', id: scope.apiKeyId, applicationId };
    case 'realm':
      return { kind: 'realm', id: null, applicationId };
    case 'provider':
      return { kind: 'provider', id: applicationId, applicationId };
  }
}

const maxFacts = 12;
/** The longest text in an {@link auditSubject}: characters. */
export const maxFactLength = 200;

/** What an act was done to: a few small facts, such as ids and counts, and never a secret. */
export const auditSubject = z
  .record(
    z.string().max(40),
    z.union([z.string().max(maxFactLength), z.number(), z.boolean(), z.null()]),
  )
  .refine((facts) => Object.keys(facts).length <= maxFacts);
export type AuditSubject = z.infer<typeof auditSubject>;

/** An act as the use case that performs it describes it. */
export interface Act {
  readonly action: AuditAction;
  readonly actor: AuditActor;
  /** The realm that the act concerns; null for the whole installation. */
  readonly realmId: number | null;
  readonly subject?: AuditSubject;
}

/** An act with when and from where it was performed, as it is sent to identity and recorded there. */
export const auditedAct = z.object({
  /** ISO 8601, UTC, with milliseconds. */
  occurredAt: z.iso.datetime(),
  action: auditActionName,
  actor: auditActor,
  realmId: id.nullable(),
  clientAddress: ipAddress.nullable(),
  subject: auditSubject,
});
export type AuditedAct = z.infer<typeof auditedAct>;

/** An act in enrolment for the audit log. */
export const enrolmentAudited = defineEvent('enrolment.audited', {
  payload: auditedAct,
  subscribers: ['identity'],
});

/** An act in the catalog for the audit log. */
export const catalogAudited = defineEvent('catalog.audited', {
  payload: auditedAct,
  subscribers: ['identity'],
});

/** An act in the crawler for the audit log. */
export const crawlerAudited = defineEvent('crawler.audited', {
  payload: auditedAct,
  subscribers: ['identity'],
});

/**
 * An act at Registrar's own course provider for the audit log. The provider knows its applications by their `app_id`
 * alone: identity adds the realm and the actor.
 */
export const providerAudited = defineEvent('provider.audited', {
  payload: auditedAct.extend({ appId: z.string() }),
  subscribers: ['identity'],
});

/**
 * Records that a client read a long list, once its response has ended: the gateway has no outbox.
 * `subject` has the operation, and the number of rows that were sent.
 */
export const recordExport = defineRequest('identity.record-export', {
  callers: ['gateway', 'console'],
  idempotency: 'transactional',
  input: auditedAct.extend({ action: z.literal('list.exported') }),
  reply: z.object({}),
});

/** An entry of the audit log in the operator's view. */
export const auditEntry = z.object({
  id,
  /** ISO 8601, UTC, with milliseconds. */
  occurred_at: z.iso.datetime(),
  realm_guid: guid.nullable(),
  actor: z.string(),
  /** Of the API key or the provider application that acted; null for other actors. */
  actor_id: id.nullable(),
  /** Of the console's user that acted; null for other actors. */
  actor_name: z.string().nullable(),
  client_address: z.string().nullable(),
  request_id: z.string(),
  action: z.string(),
  subject: auditSubject,
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** A point in time with any offset. */
const instant = z.iso.datetime({ offset: true });

/**
 * Operator: lists entries of the audit log, newest last unless asked otherwise. A filter that is null or absent matches
 * all.
 */
export const listAuditEntries = defineList('identity.list-audit-entries', {
  callers: ['operator', 'console'],
  input: z.object({
    realmGuid: guid.nullable(),
    since: instant.nullable(),
    until: instant.nullable(),
    action: auditActionName.nullable(),
    /** Entries of what the key did, and of what was done to it. */
    apiKeyId: id.nullable(),
    /** Entries of what was done to the registration with this GUID, or to the invitation with this id. */
    registrationGuid: guid.optional(),
    invitationId: id.optional(),
    /** Entries that were written after this one. */
    afterId: z.int().min(0).nullable(),
    /** The kind of the actor. */
    actor: auditActor.shape.kind.optional(),
    /** The console's user that acted, in this spelling. */
    actorName: consoleUserName.optional(),
    newestFirst: z.boolean().optional(),
  }),
  item: auditEntry,
});
