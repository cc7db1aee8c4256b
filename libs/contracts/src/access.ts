import * as z from 'zod';
import { realmCompatibility } from './compatibility.ts';
import { realmLimits } from './realm-limits.ts';
import { emailAddress, id, timestamp } from './values.ts';

/** Credentials of a request, in exactly one access mode (contract/access#modes). */
export const credentials = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('api_key'), token: z.string().max(256) }),
  z.object({ mode: z.literal('realm'), guid: z.string().max(256), secretKey: z.string().max(256) }),
  z.object({
    mode: z.literal('provider'),
    appId: z.string().max(256),
    secretKey: z.string().max(256),
  }),
]);
export type Credentials = z.infer<typeof credentials>;

/**
 * What an API key may be used for (contract/api-keys#permissions): operations that change nothing,
 * operations that change something, and opening courses.
 */
export const permission = z.enum(['read', 'write', 'launch']);
export type Permission = z.infer<typeof permission>;

/** The permissions of realm and provider pairs, and of API keys unless they were limited. */
export const allPermissions: readonly Permission[] = permission.options;

/**
 * Reach of a request's caller (contract/access#reach). Every query of every context is limited to
 * it. Only the identity context creates a scope, when it resolves credentials.
 */
export const accessScope = z
  .object({
    /** The access mode of the credentials. */
    mode: z.enum(['api_key', 'realm', 'provider']),
    realmId: id,
    /** Ids of the provider applications within reach. An empty list grants access to nothing. */
    applicationIds: z.array(id),
    /** True for a realm pair, and for a key created from one without a provider application. */
    wholeRealm: z.boolean(),
    /**
     * The user that the API key is bound to: the scope is limited to that user's own data. Else
     * null.
     */
    user: z.object({ id, email: emailAddress }).nullable(),
    /** The API key of the request; null for realm and provider pairs. */
    apiKeyId: id.nullable(),
    /** What the API key may be used for. */
    permissions: z.array(permission),
    /**
     * Counts the secret keys that the realm, or the provider application, had before the one of the
     * pair. Null for API keys, and for requests of the operator.
     */
    secretGeneration: z.int().min(0).nullable(),
    /** When the API key or a replaced secret key expires; null for other pairs, which do not expire. */
    expiresAt: timestamp.nullable(),
    /** The realm's own limits; null for the defaults. */
    limits: realmLimits.nullable(),
    /** The clients that the realm serves beside the contract; null for none (contract/compatibility#setting). */
    compatibility: realmCompatibility.nullable(),
  })
  .brand<'AccessScope'>();
export type AccessScope = z.infer<typeof accessScope>;
