import * as z from 'zod';
import type { AccessScope } from './access.ts';
import { id } from './values.ts';

/** The acts that the audit log records: the thing, and what was done to it. */
export const auditActions = [
  'realm.created',
  'realm.secret-rotated',
  'realm.disabled',
  'realm.enabled',
  'realm.limits-changed',
  'application.created',
  'application.changed',
  'secrets.resealed',
  'api-key.created',
  'api-key.first-used',
  'api-key.renewed',
  'api-key.shortened',
  'api-key.revoked',
  'realm-user.created',
  'realm-user.updated',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** The name of an act as messages carry it: another version may know others. */
export const auditActionName = z
  .string()
  .max(64)
  .regex(/^[a-z-]+\.[a-z-]+$/);

/**
 * Who acted: an API key (`id` is the key's), a realm pair, a provider pair (`id` is the provider
 * application's), the operator by the command line, or Registrar itself.
 */
export const auditActor = z.object({
  kind: z.enum(['api_key', 'realm', 'provider', 'operator', 'system']),
  id: id.nullable(),
});
export type AuditActor = z.infer<typeof auditActor>;

/** The operator, by the command line. */
export const operatorActor: AuditActor = { kind: 'operator', id: null };

/** Registrar itself, such as a periodic task. */
export const systemActor: AuditActor = { kind: 'system', id: null };

/** The actor of a request with this scope. */
export function auditActorOf(scope: AccessScope): AuditActor {
  switch (scope.mode) {
    case 'api_key':
      return { kind: 'api_key', id: scope.apiKeyId };
    case 'realm':
      return { kind: 'realm', id: null };
    case 'provider':
      return { kind: 'provider', id: scope.applicationIds[0] ?? null };
  }
}

const maxFacts = 12;
const maxFactLength = 200;

/** What an act was done to: a few small facts, such as ids and counts, and never a secret. */
export const auditSubject = z
  .record(
    z.string().max(40),
    z.union([z.string().max(maxFactLength), z.number(), z.boolean(), z.null()]),
  )
  .refine((facts) => Object.keys(facts).length <= maxFacts);
export type AuditSubject = z.infer<typeof auditSubject>;

/** Cuts texts that are longer than an {@link auditSubject} holds, such as names that callers choose. */
export const boundedSubject = (facts: AuditSubject): AuditSubject =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [
      name,
      typeof fact === 'string' ? fact.slice(0, maxFactLength).toWellFormed() : fact,
    ]),
  );
