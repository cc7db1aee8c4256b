import * as z from 'zod';
import { permission } from './access.ts';
import { apiKeyLimits } from './identity.ts';
import { defineList, defineRequest } from './message.ts';
import { emailAddress, guid, id, timestamp } from './values.ts';

/** An API key in the operator's view, without its token, of which only a hash is stored. */
export const apiKeySummary = z.object({
  id,
  realm_guid: guid,
  course_provider_id: id.nullable(),
  user_email: z.string().nullable(),
  permissions: z.array(permission),
  created_at: timestamp,
  /** Precise to a few minutes; null for a key that was never used. */
  last_used_at: timestamp.nullable(),
  expires_at: timestamp,
});

/** Seconds, at most a hundred years. */
const seconds = z.int().min(0).max(3_155_760_000);

/** Selects API keys that meet every condition which is not null. */
export const apiKeyFilters = z.object({
  userEmail: emailAddress.nullable().default(null),
  /** Created at least so long ago. */
  olderThanSeconds: seconds.nullable().default(null),
  /** Neither used nor created for so long. */
  unusedForSeconds: seconds.nullable().default(null),
});
export type ApiKeyFilters = z.infer<typeof apiKeyFilters>;

/** Operator: lists unexpired API keys of a realm, or of all realms when null. */
export const listApiKeys = defineList('identity.list-api-keys', {
  callers: ['operator', 'console'],
  input: z.object({ realmGuid: guid.nullable(), ...apiKeyFilters.shape }),
  item: apiKeySummary,
});

/**
 * Operator: creates an API key in a realm.
 *
 * @throws {Failure} `not-found` for an unknown realm or application
 */
export const issueApiKey = defineRequest('identity.issue-api-key', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({
    realmGuid: guid,
    userEmail: emailAddress.nullable(),
    applicationId: id.nullable(),
    ...apiKeyLimits.shape,
  }),
  reply: z.object({ summary: apiKeySummary, token: z.string() }),
});

/**
 * Operator: revokes an API key with immediate effect.
 *
 * @throws {Failure} `not-found` for an unknown key
 */
export const revokeApiKey = defineRequest('identity.revoke-api-key', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({ apiKeyId: id }),
  reply: z.object({}),
});

/** The outcome of a request that changes a bounded number of API keys. */
const changedApiKeys = z.object({
  changed: z.int(),
  /** Whether more may be selected: repeat the request until it is false. */
  more: z.boolean(),
});

/**
 * Operator: revokes some of the selected unexpired API keys of a realm with immediate effect.
 *
 * @throws {Failure} `not-found` for an unknown realm
 */
export const revokeApiKeys = defineRequest('identity.revoke-api-keys', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({ realmGuid: guid, ...apiKeyFilters.shape }),
  reply: changedApiKeys,
});

/**
 * Operator: lets an API key expire after this time at the latest. Renewing it does not extend that.
 *
 * @throws {Failure} `not-found` for an unknown key
 */
export const shortenApiKey = defineRequest('identity.shorten-api-key', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({ apiKeyId: id, inSeconds: seconds }),
  reply: z.object({ expires_at: timestamp }),
});

/**
 * Operator: lets some of the selected unexpired API keys of a realm expire after this time at the
 * latest, as {@link shortenApiKey} does.
 *
 * @throws {Failure} `not-found` for an unknown realm
 */
export const shortenApiKeys = defineRequest('identity.shorten-api-keys', {
  callers: ['operator'],
  idempotency: 'transactional',
  input: z.object({ realmGuid: guid, ...apiKeyFilters.shape, inSeconds: seconds }),
  reply: changedApiKeys,
});
