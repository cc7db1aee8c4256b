import * as z from 'zod';
import { accessScope, allPermissions, credentials, permission } from './access.ts';
import { customMerge, customText } from './merge-custom.ts';
import { defineEvent, defineList, defineRequest } from './message.ts';
import { emailAddress, filterText, guid, id, overlapSeconds, timestamp } from './values.ts';

/**
 * API key record (contract/api-keys#record). `access_token` is the token itself, which is returned
 * only once.
 */
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

/** The record of a key that exists or was deleted: only a hash of its token is stored. */
export const apiKeyRecordWithoutToken = apiKeyRecord.omit({ access_token: true });
export type ApiKeyRecordWithoutToken = z.infer<typeof apiKeyRecordWithoutToken>;

/**
 * Resolves credentials into an access scope.
 *
 * @throws {Failure} `unauthenticated`; the message names the cause
 */
export const resolveAccess = defineRequest('identity.resolve-access', {
  callers: ['gateway', 'operator'],
  input: z.object({ credentials }),
  reply: accessScope,
});

/**
 * The scope of a realm with all its provider applications, for a user of the console who has a role there. The console
 * says which permissions the role has.
 *
 * @throws {Failure} `not-found` for an unknown realm, `unauthenticated` for a disabled one
 */
export const findRealmScope = defineRequest('identity.find-realm-scope', {
  callers: ['console'],
  input: z.object({ realmGuid: guid, permissions: z.array(permission) }),
  reply: accessScope,
});

/** A realm by its name, as the console's realm picker shows it. */
export const realmName = z.object({
  guid,
  name: z.string(),
  /** Since when nobody has access to the realm; null while it is enabled. */
  disabled_at: timestamp.nullable(),
});

/**
 * Lists realms by name.
 *
 * `guids` limits them to these, `text` to those whose name contains it, in any case; null does not.
 */
export const listRealmNames = defineList('identity.list-realm-names', {
  callers: ['console'],
  input: z.object({ guids: z.array(guid).max(200).nullable(), text: filterText.nullable() }),
  item: realmName,
});

/** The longest lifetime of an API key that a request may name, about a hundred years: hours. */
const maxLifetimeHours = 999_999;

/** The limits of a new API key, beside its reach. */
export const apiKeyLimits = z.object({
  /** contract/api-keys#create-permissions */
  permissions: z
    .array(permission)
    .min(1)
    .default([...allPermissions]),
  /** At most that of the settings, which applies when null (contract/api-keys#create-lifetime-hours). */
  lifetimeHours: z.int().min(1).max(maxLifetimeHours).nullable().default(null),
});
export type ApiKeyLimits = z.infer<typeof apiKeyLimits>;

/** Permissions as text, separated by commas. */
export const permissionsText = z
  .string()
  .transform((text) => [...new Set(text.split(','))])
  .pipe(z.array(permission));

/** The lifetime of an API key as text: hours. */
export const lifetimeHoursText = z
  .string()
  .regex(/^\d{1,6}$/, 'It is not a number of hours.')
  .meta({ type: 'integer', minimum: 1, maximum: maxLifetimeHours })
  .transform(Number)
  .pipe(z.int().min(1).max(maxLifetimeHours));

/** Creates an API key within the scope of a realm or provider pair. */
export const createApiKey = defineRequest('identity.create-api-key', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    userEmail: emailAddress.nullable(),
    /**
     * Binds the key to one provider application of the realm
     * (contract/api-keys#create-course-provider-id).
     */
    applicationId: id.nullable(),
    ...apiKeyLimits.shape,
  }),
  reply: apiKeyRecord,
});

/**
 * Renews the API key of the scope: its lifetime starts again (contract/api-keys#renew). The console renews a key of
 * the realm that it names.
 *
 * @throws {Failure} `unauthenticated` unless the access is an API key that has not expired; for a key that the
 * request names, `unauthenticated` unless the scope has realm access and the permission `write`, and `not-found` when
 * the realm has no such key, or it has expired
 */
export const renewApiKey = defineRequest('identity.renew-api-key', {
  callers: ['gateway', 'console'],
  idempotency: 'transactional',
  permission: null,
  input: z.object({
    scope: accessScope,
    /** Absent for the key that the scope comes from. */
    apiKeyId: id.optional(),
  }),
  reply: apiKeyRecordWithoutToken,
});

/**
 * Deletes an API key, which is invalid at once (contract/api-keys#delete).
 *
 * @throws {Failure} `unauthenticated` for the key of another caller, unless the scope has realm
 * access and the permission `write`; `not-found` when the realm has no such key
 */
export const deleteApiKey = defineRequest('identity.delete-api-key', {
  callers: ['gateway', 'console'],
  idempotency: 'transactional',
  permission: null,
  input: z.object({
    scope: accessScope,
    /** Null for the key that the scope comes from. */
    apiKeyId: id.nullable(),
  }),
  reply: apiKeyRecordWithoutToken,
});

/** Finds the user of an e-mail address; creates a learner of the realm if there is none. */
export const ensureUser = defineRequest('identity.ensure-user', {
  callers: ['enrolment'],
  idempotency: 'natural',
  input: z.object({ realmId: id, email: emailAddress }),
  reply: z.object({ userId: id, email: emailAddress }),
});

/**
 * Finds or creates the users of many e-mail addresses. The reply has one user per address, without
 * regard to case and repetition.
 */
export const ensureUsers = defineRequest('identity.ensure-users', {
  callers: ['enrolment'],
  idempotency: 'natural',
  input: z.object({ realmId: id, emails: z.array(emailAddress).max(500) }),
  reply: z.object({ users: z.array(z.object({ userId: id, email: emailAddress })) }),
});

/**
 * Finds the address and credentials of a provider application. The secrets are encrypted; services
 * decrypt them with their shared master key.
 */
export const findProviderCredentials = defineRequest('identity.provider-credentials', {
  callers: ['catalog', 'enrolment', 'crawler', 'operator'],
  input: z.object({ applicationId: id }),
  reply: z.object({
    applicationId: id,
    realmId: id,
    baseUrl: z.url(),
    appId: z.string(),
    sealedSecretKey: z.string(),
    /** The password of the course provider's postbacks. */
    sealedPostbackSecret: z.string(),
  }),
});
export type ProviderCredentials = z.infer<(typeof findProviderCredentials)['reply']>;

/** The user name of all postbacks; the password is a secret of the provider application. */
export const postbackUserName = 'postback';

/**
 * Finds with what the gateway compares the password of a postback.
 *
 * @throws {Failure} `not-found` for an unknown application, and for one of a disabled realm
 */
export const findPostbackAccess = defineRequest('identity.find-postback-access', {
  callers: ['gateway'],
  input: z.object({ applicationId: id }),
  /** SHA-256 of the password, in base64url. */
  reply: z.object({ secretHash: z.string().regex(/^[\w-]{43}$/) }),
});

/** Lists the ids of all provider applications, for the crawler. */
export const listProviderApplications = defineRequest('identity.list-provider-applications', {
  callers: ['crawler'],
  input: z.object({}),
  reply: z.object({
    applications: z.array(
      z.object({
        id,
        realmId: id,
        /** Its realm is disabled: it is not crawled. */
        isPaused: z.boolean(),
      }),
    ),
  }),
});

/** Operator: creates a realm. Its secret key is returned only once. */
export const createRealm = defineRequest('identity.create-realm', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({ name: z.string().min(1).max(200) }),
  reply: z.object({ realmId: id, realmGuid: guid, realmSecretKey: z.string() }),
});

/** Operator: adds a provider application to a realm. */
export const createProviderApplication = defineRequest('identity.create-provider-application', {
  callers: ['operator', 'console'],
  idempotency: 'transactional',
  input: z.object({
    realmGuid: guid,
    name: z.string().min(1).max(200),
    baseUrl: z.url(),
    appId: z.string().min(1).max(255),
    secretKey: z.string().min(1).max(255),
    /** How long clients may use a replaced secret key; 0 when absent. */
    overlapSeconds: overlapSeconds.optional(),
  }),
  reply: z.object({ applicationId: id, realmId: id }),
});

/** Role of a user in a realm (contract/realm-users#record-realm-role-id): 1 is a learner. */
const realmRoleId = id.max(2_147_483_647);

/** Realm user record (contract/realm-users#record). `realm_role_id` is a role (contract/realm-users#roles). */
export const realmUserRecord = z.object({
  id,
  realm_id: id,
  realm_role_id: realmRoleId,
  user_id: id,
  custom: z.string().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  email: z.string(),
});
export type RealmUserRecord = z.infer<typeof realmUserRecord>;

/**
 * Lists the users of the realm.
 *
 * @throws {Failure} `unauthenticated` unless the access is a realm pair, or a key created from one
 * without a bound user (contract/realm-users#realm-access-only)
 */
export const indexRealmUsers = defineList('identity.index-realm-users', {
  callers: ['gateway'],
  input: z.object({
    scope: accessScope,
    /** Compared without regard to case. */
    filters: z.object({ email: filterText.optional() }),
  }),
  item: realmUserRecord,
});

/**
 * Creates a user of the realm.
 *
 * @throws {Failure} `unchanged` when the realm has a user of that address
 */
export const createRealmUser = defineRequest('identity.create-realm-user', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    email: emailAddress,
    custom: customText,
    /** Null means 1 (learner). */
    realmRoleId: realmRoleId.nullable(),
  }),
  reply: realmUserRecord,
});

/** Selects a user of the realm. */
const selectedRealmUser = z.discriminatedUnion('by', [
  z.object({ by: z.literal('id'), id }),
  z.object({ by: z.literal('email'), email: emailAddress }),
]);

/**
 * Updates a realm user; a field that is null keeps its value. A user-bound key may change `custom` of its own user in
 * a realm that serves the clients of Bright (contract/compatibility#own-realm-user).
 *
 * @throws {Failure} `not-found` when the realm has no such user
 */
export const updateRealmUser = defineRequest('identity.update-realm-user', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({
    scope: accessScope,
    user: selectedRealmUser,
    custom: customText,
    realmRoleId: realmRoleId.nullable(),
  }),
  reply: realmUserRecord,
});

/**
 * Merges values into the custom data of a realm user (contract/realm-users#gcustom). A user-bound key
 * reaches its own user.
 *
 * In a realm that serves the clients of Bright, a realm pair creates the user
 * (contract/compatibility#gcustom-creates-user).
 *
 * @throws {Failure} `not-found` when the realm has no such user; `unauthenticated`; `invalid` when the
 * stored text is no JSON object, and when it becomes too long
 */
export const mergeRealmUserCustom = defineRequest('identity.merge-realm-user-custom', {
  callers: ['gateway'],
  idempotency: 'transactional',
  input: z.object({ scope: accessScope, user: selectedRealmUser, ...customMerge.shape }),
  reply: realmUserRecord,
});

/**
 * Finds e-mail addresses of realm users whose address or custom data contain a text, ignoring case
 * (contract/realm-users#autocomplete).
 *
 * @throws {Failure} `unauthenticated` as {@link indexRealmUsers}
 */
export const autocompleteRealmUsers = defineRequest('identity.autocomplete-realm-users', {
  callers: ['gateway'],
  input: z.object({ scope: accessScope, text: z.string().max(255) }),
  reply: z.object({ emails: z.array(z.string()) }),
});

/** Provider application without its secret key (contract/course-providers#record). */
export const courseProviderRecord = z.object({
  id,
  name: z.string(),
  sc_app_id: z.string(),
  /** Address of the course provider. */
  url: z.string(),
  realm_id: id,
  created_at: timestamp,
  updated_at: timestamp,
});
export type CourseProviderRecord = z.infer<typeof courseProviderRecord>;

/** Lists the provider applications within reach. */
export const indexCourseProviders = defineList('identity.index-course-providers', {
  callers: ['gateway'],
  input: z.object({ scope: accessScope }),
  item: courseProviderRecord,
});

/** The access to a realm has changed: subscribers drop what they cache about it. */
export const accessChanged = defineEvent('identity.access-changed', {
  payload: z.object({ realmId: id }),
  subscribers: ['crawler'],
  listeners: ['gateway', 'catalog', 'enrolment'],
});

/** A realm was disabled or enabled. Events can arrive in another order than their versions. */
export const realmSwitched = defineEvent('identity.realm-switched', {
  payload: z.object({
    realmId: id,
    enabled: z.boolean(),
    at: timestamp,
    /** Rises with every change of the realm. */
    version: id,
    /** The realm's applications at their course providers. */
    appIds: z.array(z.string()),
  }),
  subscribers: ['enrolment', 'provider'],
});
