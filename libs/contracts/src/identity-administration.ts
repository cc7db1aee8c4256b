import * as z from 'zod';
import { courseProviderRecord } from './identity.ts';
import { defineList, defineRequest } from './message.ts';
import { realmCompatibility } from './compatibility.ts';
import { realmLimits } from './realm-limits.ts';
import { filterText, guid, id, timestamp } from './values.ts';

/** A realm in the operator's view. Its secret key is shown only when it is created or rotated. */
export const realmSummary = z.object({
  id,
  guid,
  name: z.string(),
  provider_applications: z.int(),
  users: z.int(),
  created_at: timestamp,
  /** Since when nobody has access to the realm; null while it is enabled. */
  disabled_at: timestamp.nullable(),
  /** The clients that the realm serves beside the contract (contract/compatibility); null for none. */
  compatibility: realmCompatibility.shape.clients.nullable(),
  user_licenses: realmCompatibility.shape.userLicenses,
});
export type RealmSummary = z.infer<typeof realmSummary>;

/** Operator: lists the realms. A filter that is absent matches all. */
export const listRealms = defineList('identity.list-realms', {
  callers: ['operator', 'console'],
  input: z.object({
    realmGuid: guid.optional(),
    /** Realms whose name contains the text, in any case. */
    text: filterText.optional(),
  }),
  item: realmSummary,
});

/** The longest overlap of two secret keys of a realm: 90 days. */
const maxOverlapSeconds = 90 * 86_400;

/**
 * Operator: creates a new secret key for a realm. The key before is accepted until the overlap ends;
 * keys before that are rejected at once.
 *
 * @throws {Failure} `not-found` for an unknown realm
 */
export const rotateRealmSecret = defineRequest('identity.rotate-realm-secret', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({
    realmGuid: guid,
    overlapSeconds: z.int().min(0).max(maxOverlapSeconds),
    /** Whether all API keys of the realm are revoked too. */
    endKeys: z.boolean(),
  }),
  reply: z.object({
    realmGuid: guid,
    realmSecretKey: z.string(),
    /** When the key before is rejected; null for at once. */
    previousUntil: timestamp.nullable(),
    revokedKeys: z.int(),
  }),
});

/**
 * Operator: disables or enables a realm. While it is disabled, nobody has access to it, windows of
 * its learners end, and its applications are not crawled. A repetition changes nothing.
 *
 * @throws {Failure} `not-found` for an unknown realm
 */
export const switchRealm = defineRequest('identity.switch-realm', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({ realmGuid: guid, enabled: z.boolean() }),
  reply: z.object({ realmGuid: guid, disabledAt: timestamp.nullable() }),
});

/**
 * Operator: the limits of a realm that differ from the defaults.
 *
 * @throws {Failure} `not-found` for an unknown realm
 */
export const findRealmLimits = defineRequest('identity.find-realm-limits', {
  callers: ['operator', 'console'],
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
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({
    realmGuid: guid,
    changes: realmLimits,
    /** Whether all limits get their defaults before the changes. */
    fromDefaults: z.boolean(),
  }),
  reply: z.object({ limits: realmLimits }),
});

/**
 * Operator: says which clients of earlier services a realm serves beside the contract
 * (contract/compatibility#setting). Gateways apply it within seconds.
 *
 * @throws {Failure} `not-found` for an unknown realm; `invalid` for user licenses without such clients
 */
export const changeRealmCompatibility = defineRequest('identity.change-realm-compatibility', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({
    realmGuid: guid,
    /** Null leaves it as it is. */
    clients: realmCompatibility.shape.clients.or(z.literal('none')).nullable(),
    /** Null leaves it as it is; it ends when there are no such clients any more. */
    userLicenses: z.boolean().nullable(),
  }),
  reply: z.object({ compatibility: realmCompatibility.nullable() }),
});

/** Operator: lists the provider applications of a realm, or of all realms when null; or one of these. */
export const listProviderApplicationSummaries = defineList('identity.list-applications', {
  callers: ['operator', 'console'],
  input: z.object({ realmGuid: guid.nullable(), applicationId: id.optional() }),
  item: courseProviderRecord.extend({ realm_guid: guid }),
});

/** The credentials with which a course provider authenticates its postbacks. */
const postbackCredentials = z.object({ userName: z.string(), password: z.string() });

/**
 * Operator: shows the credentials of the postbacks of a provider application.
 *
 * @throws {Failure} `not-found` for an unknown application
 */
export const showPostbackSecret = defineRequest('identity.show-postback-secret', {
  callers: ['operator', 'console'],
  input: z.object({ applicationId: id }),
  reply: postbackCredentials,
});

/**
 * Operator: replaces the password of the postbacks of a provider application. The password before is
 * refused within 30 seconds.
 *
 * @throws {Failure} `not-found` for an unknown application
 */
export const rotatePostbackSecret = defineRequest('identity.rotate-postback-secret', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({ applicationId: id }),
  reply: postbackCredentials,
});

/**
 * Operator: encrypts one page of the secrets of provider applications again, with which they call
 * their providers and those call back, that the first master key has not encrypted. Repeat with `after` set to `next` until `next` is null.
 */
export const resealSecrets = defineRequest('identity.reseal-secrets', {
  callers: ['operator'],
  idempotency: 'natural',
  input: z.object({ after: z.int().min(0) }),
  reply: z.object({
    resealed: z.int(),
    /** Ids of the provider applications with a secret that no master key decrypts. */
    unopened: z.array(id),
    next: id.nullable(),
  }),
});
