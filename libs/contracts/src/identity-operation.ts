import * as z from 'zod';
import { courseProviderRecord } from './identity.ts';
import { defineList, defineRequest } from './message.ts';
import { emailAddress, guid, id, timestamp } from './values.ts';

/** A realm as its operator sees it; its secret is told when it is made or rotated, and never again. */
export const realmSummary = z.object({
  id,
  guid,
  name: z.string(),
  provider_applications: z.int(),
  users: z.int(),
  created_at: timestamp,
});

/** For the operator: all realms. */
export const listRealms = defineList('identity.list-realms', {
  input: z.object({}),
  item: realmSummary,
});

/** For the operator: a new secret key for a realm; the old one is refused from now on. */
export const rotateRealmSecret = defineRequest('identity.rotate-realm-secret', {
  changes: 'once',
  input: z.object({ realmGuid: guid }),
  reply: z.object({ realmGuid: guid, realmSecretKey: z.string() }),
});

/** For the operator: the provider applications of a realm, or of all. */
export const listApplications = defineList('identity.list-applications', {
  input: z.object({ realmGuid: guid.nullable() }),
  item: courseProviderRecord.extend({ realm_guid: guid }),
});

/** An API key as its operator sees it: without its token, which nobody keeps. */
export const apiKeySummary = z.object({
  id,
  realm_guid: guid,
  course_provider_id: id.nullable(),
  user_email: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});

/** For the operator: the API keys that have not expired, of a realm or of all. */
export const listApiKeys = defineList('identity.list-api-keys', {
  input: z.object({ realmGuid: guid.nullable() }),
  item: apiKeySummary,
});

/** For the operator: makes an API key of a realm; `not-found` for an unknown realm or application. */
export const issueApiKey = defineRequest('identity.issue-api-key', {
  changes: 'once',
  input: z.object({
    realmGuid: guid,
    userEmail: emailAddress.nullable(),
    applicationId: id.nullable(),
  }),
  reply: z.object({ summary: apiKeySummary, token: z.string() }),
});

/** For the operator: ends an API key at once. */
export const revokeApiKey = defineRequest('identity.revoke-api-key', {
  changes: 'once',
  input: z.object({ apiKeyId: id }),
  reply: z.object({}),
});

/**
 * For the operator: seals a page of the provider secrets anew that the first master key has not
 * sealed. Asked again with `next` until that is null.
 */
export const resealSecrets = defineRequest('identity.reseal-secrets', {
  changes: 'again',
  input: z.object({ after: z.int().min(0) }),
  reply: z.object({
    resealed: z.int(),
    /** The ids of the provider applications whose secrets no key opens. */
    unopened: z.array(id),
    next: id.nullable(),
  }),
});
