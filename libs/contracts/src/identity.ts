import * as z from 'zod';
import { accessScope, credentials } from './access.ts';
import { defineEvent, defineList, defineRequest } from './message.ts';
import { emailAddress, guid, id, timestamp } from './values.ts';

/** API key record (api-v2.md, Resources). `access_token` is the token itself, shown this once. */
export const apiKeyRecord = z.object({
  id,
  access_token: z.string(),
  token_type: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  expires_at: timestamp.nullable(),
  user_id: id.nullable(),
  course_provider_id: id.nullable(),
  realm_id: id,
});
export type ApiKeyRecord = z.infer<typeof apiKeyRecord>;

/** Who is calling and what they reach. Fails with `unauthenticated`; the message says why. */
export const resolveAccess = defineRequest('identity.resolve-access', {
  input: z.object({ credentials }),
  reply: accessScope,
});

/** Makes an api key within a scope that was given by a realm or provider pair. */
export const createApiKey = defineRequest('identity.create-api-key', {
  changes: 'once',
  input: z.object({
    scope: accessScope,
    userEmail: emailAddress.nullable(),
    /** Binds the key to one provider application of the realm (decision 15). */
    applicationId: id.nullable(),
  }),
  reply: apiKeyRecord,
});

/** The user of an e-mail address, made and attached to the realm as a learner if there is none. */
export const ensureUser = defineRequest('identity.ensure-user', {
  changes: 'again',
  input: z.object({ realmId: id, email: emailAddress }),
  reply: z.object({ userId: id, email: emailAddress }),
});

/** The same for many at once: one user for each address, however often and spelt it is given. */
export const ensureUsers = defineRequest('identity.ensure-users', {
  changes: 'again',
  input: z.object({ realmId: id, emails: z.array(emailAddress).max(500) }),
  reply: z.object({ users: z.array(z.object({ userId: id, email: emailAddress })) }),
});

/**
 * How to call a provider application's course provider. The secret travels sealed; services open
 * it with the master key that they share.
 */
export const providerCredentials = defineRequest('identity.provider-credentials', {
  input: z.object({ applicationId: id }),
  reply: z.object({
    applicationId: id,
    realmId: id,
    baseUrl: z.url(),
    appId: z.string(),
    sealedSecretKey: z.string(),
  }),
});
export type ProviderCredentials = z.infer<(typeof providerCredentials)['reply']>;

/** Every provider application, for the crawler to know what there is to crawl. */
export const listProviderApplications = defineRequest('identity.list-provider-applications', {
  input: z.object({}),
  reply: z.object({ applications: z.array(z.object({ id, realmId: id })) }),
});

/** For the operator: makes a realm. The secret key is told this once. */
export const createRealm = defineRequest('identity.create-realm', {
  changes: 'once',
  input: z.object({ name: z.string().min(1).max(200) }),
  reply: z.object({ realmId: id, realmGuid: guid, realmSecretKey: z.string() }),
});

/** For the operator: adds a provider application to a realm. */
export const createProviderApplication = defineRequest('identity.create-provider-application', {
  changes: 'once',
  input: z.object({
    realmGuid: guid,
    name: z.string().min(1).max(200),
    baseUrl: z.url(),
    appId: z.string().min(1).max(255),
    secretKey: z.string().min(1).max(255),
  }),
  reply: z.object({ applicationId: id, realmId: id }),
});

/** Realm user record (api-v2.md, Resources; decision 23). `realm_role_id` 1 is a learner. */
export const realmUserRecord = z.object({
  id,
  realm_id: id,
  realm_role_id: id,
  user_id: id,
  custom: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  email: z.string(),
});
export type RealmUserRecord = z.infer<typeof realmUserRecord>;

/**
 * The users of the realm. Only a realm pair and a key made from one that is bound to no user
 * reach them: `unauthenticated` for all others (decision 14).
 */
export const indexRealmUsers = defineList('identity.index-realm-users', {
  input: z.object({
    scope: accessScope,
    /** Compared without regard to case. */
    filters: z.object({ email: z.string().optional() }),
  }),
  item: realmUserRecord,
});

/** Makes a user of the realm; `unchanged` when there is one of that address. */
export const createRealmUser = defineRequest('identity.create-realm-user', {
  changes: 'once',
  input: z.object({
    scope: accessScope,
    email: emailAddress,
    custom: z.string().max(65_536).nullable(),
    /** 1 (learner) when null. */
    realmRoleId: id.nullable(),
  }),
  reply: realmUserRecord,
});

/** Sets what is not null. */
export const updateRealmUser = defineRequest('identity.update-realm-user', {
  changes: 'once',
  input: z.object({
    scope: accessScope,
    user: z.discriminatedUnion('by', [
      z.object({ by: z.literal('id'), id }),
      z.object({ by: z.literal('email'), email: emailAddress }),
    ]),
    custom: z.string().max(65_536).nullable(),
    realmRoleId: id.nullable(),
  }),
  reply: realmUserRecord,
});

/** A provider application without its secret (decision 28). */
export const courseProviderRecord = z.object({
  id,
  name: z.string(),
  sc_app_id: z.string(),
  /** Where the course provider is. */
  url: z.string(),
  realm_id: id,
  created_at: timestamp,
  updated_at: timestamp,
});
export type CourseProviderRecord = z.infer<typeof courseProviderRecord>;

/** The provider applications that the access reaches. */
export const indexCourseProviders = defineList('identity.index-course-providers', {
  input: z.object({ scope: accessScope }),
  item: courseProviderRecord,
});

/** Something about who reaches what in a realm has changed: forget what is cached of it. */
export const accessChanged = defineEvent('identity.access-changed', {
  payload: z.object({ realmId: id }),
  subscribers: ['crawler'],
});
