import * as z from 'zod';
import { accessScope } from './access.ts';
import { defineRequest } from './message.ts';
import { packageFindings } from './package-findings.ts';
import { overlapSeconds } from './values.ts';

/** Operator: creates or updates an application (an account) at Registrar's own course provider. */
export const putApplication = defineRequest('provider.put-application', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({
    appId: z.string().min(1).max(255),
    name: z.string().min(1).max(200),
    secretKey: z.string().min(16).max(255),
    /** Maximum number of registrations; null for no limit. */
    registrationLimit: z.int().min(0).nullable(),
  }),
  reply: z.object({}),
});

/**
 * Operator: replaces the secret key of an application at Registrar's own course provider.
 *
 * @throws {Failure} `not-found` for an unknown application
 */
export const rotateApplicationSecret = defineRequest('provider.rotate-application-secret', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({
    appId: z.string().min(1).max(255),
    secretKey: z.string().min(16).max(255),
    /** How long the replaced secret key is still accepted. */
    overlapSeconds,
  }),
  reply: z.object({}),
});

/** Operator: replaces the key that signs launch links. */
export const rotateLaunchKey = defineRequest('provider.rotate-launch-key', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({
    /** Links that were signed before open no course any more, instead of until they expire. */
    endLinks: z.boolean(),
  }),
  reply: z.object({
    /** The id of the new key. */
    kid: z.string(),
  }),
});

/**
 * Checks a package that was uploaded to the catalog, as an import of Registrar's own course provider would read it
 * (contract/courses#check). Stores nothing.
 *
 * @throws {Failure} `not-found` when the realm has no such upload; `over-limit` or `overloaded` when too many packages
 * are read; `unauthenticated` for a user-bound key
 */
export const checkPackage = defineRequest('provider.check-package', {
  callers: ['gateway', 'operator', 'console'],
  permission: 'write',
  input: z.object({ scope: accessScope, uploadId: z.uuid() }),
  reply: z.object({ findings: packageFindings }),
});
