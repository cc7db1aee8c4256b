import * as z from 'zod';
import { emailAddress, id, timestamp } from './values.ts';

/** What a request presented to be let in: exactly one access mode (api-v2.md, Authentication). */
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
 * What the caller of a request reaches (decision 14). Every query of every context is cut down
 * to it; only identity makes one, by resolving credentials.
 */
export const accessScope = z
  .object({
    /** The access mode that it was resolved from; what does not say so counts as the least. */
    mode: z.enum(['api_key', 'realm', 'provider']).default('api_key'),
    realmId: id,
    /** The provider applications within reach; never empty of meaning: none means no data. */
    applicationIds: z.array(id),
    /** True for a realm pair and a key made from one without a provider application. */
    wholeRealm: z.boolean(),
    /** The user that the api key is bound to: the scope is cut down to that user's own data. */
    user: z.object({ id, email: emailAddress }).nullable(),
    /** When the api key ends; null for the pairs, which do not end. */
    expiresAt: timestamp.nullable(),
  })
  .brand<'AccessScope'>();
export type AccessScope = z.infer<typeof accessScope>;
