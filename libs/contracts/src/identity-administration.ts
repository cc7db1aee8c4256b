import * as z from 'zod';
import { courseProviderRecord } from './identity.ts';
import { defineList, defineRequest } from './message.ts';
import { realmLimits } from './realm-limits.ts';
import { guid, id, timestamp } from './values.ts';

/** A realm in the operator's view. Its secret key is shown only when it is created or rotated. */
export const realmSummary = z.object({
  id,
  guid,
  name: z.string(),
  provider_applications: z.int(),
  users: z.int(),
  created_at: timestamp,
});

/** Operator: lists all realms. */
export const listRealms = defineList('identity.list-realms', {
  callers: ['operator'],
  input: z.object({}),
  item: realmSummary,
});

/** Operator: creates a new secret key for a realm; the old key is rejected from then on. */
export const rotateRealmSecret = defineRequest('identity.rotate-realm-secret', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({ realmGuid: guid }),
  reply: z.object({ realmGuid: guid, realmSecretKey: z.string() }),
});

/**
 * Operator: the limits of a realm that differ from the defaults.
 *
 * @throws {Failure} `not-found` for an unknown realm
 */
export const findRealmLimits = defineRequest('identity.find-realm-limits', {
  callers: ['operator'],
  input: z.object({ realmGuid: guid }),
  reply: z.object({ limits: realmLimits }),
});

/**
 * Operator: changes limits of a realm; those that are not named stay. Gateways apply them within
 * seconds.
 *
 * @throws {Failure} `not-found` for an unknown realm
 */
export const changeRealmLimits = defineRequest('identity.change-realm-limits', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({
    realmGuid: guid,
    changes: realmLimits,
    /** Whether all limits get their defaults before the changes. */
    fromDefaults: z.boolean(),
  }),
  reply: z.object({ limits: realmLimits }),
});

/** Operator: lists the provider applications of a realm, or of all realms when null. */
export const listProviderApplicationSummaries = defineList('identity.list-applications', {
  callers: ['operator'],
  input: z.object({ realmGuid: guid.nullable() }),
  item: courseProviderRecord.extend({ realm_guid: guid }),
});

/**
 * Operator: encrypts one page of the providers' secret keys again that the first master key has not
 * encrypted. Repeat with `after` set to `next` until `next` is null.
 */
export const resealSecrets = defineRequest('identity.reseal-secrets', {
  callers: ['operator'],
  idempotency: 'natural',
  input: z.object({ after: z.int().min(0) }),
  reply: z.object({
    resealed: z.int(),
    /** Ids of the provider applications whose secret key no master key decrypts. */
    unopened: z.array(id),
    next: id.nullable(),
  }),
});
