import {
  apiKeyFilters,
  apiKeyLimits,
  deleteApiKey,
  emailAddress,
  id,
  issueApiKey,
  listApiKeys,
  renewApiKey,
  requireApplication,
} from '@registrar/contracts';
import * as z from 'zod';
import { callPage, realmCall } from '../calls/define-call.ts';

/** Lists the API keys of a realm that have not expired, without their tokens. */
export const listKeys = realmCall({
  role: 'administrator',
  input: z.object({ ...callPage, ...apiKeyFilters.shape }),
  handle: async ({ bus }, { realm: realmGuid, cursor, limit, ...filters }) =>
    bus.page(listApiKeys, { realmGuid, ...filters }, { cursor, limit }),
});

/** Creates an API key of a realm. The reply is the only one that has its token. */
export const createKey = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({
    /** Binds the key to the user; null does not. */
    userEmail: emailAddress.nullable(),
    /** Limits the key to the provider application; null does not. */
    application: id.nullable(),
    ...apiKeyLimits.shape,
  }),
  handle: async ({ bus, scope }, { realm: realmGuid, application: applicationId, ...wanted }) => {
    if (applicationId !== null) requireApplication(scope, applicationId);
    return bus.request(issueApiKey, { realmGuid, applicationId, ...wanted });
  },
});

/** Starts the lifetime of an API key of a realm again. */
export const renewKey = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({ key: id }),
  handle: async ({ bus, scope }, { key }) => bus.request(renewApiKey, { scope, apiKeyId: key }),
});

/** Revokes an API key of a realm with immediate effect. */
export const revokeKey = realmCall({
  role: 'administrator',
  changes: true,
  input: z.object({ key: id }),
  handle: async ({ bus, scope }, { key }) => bus.request(deleteApiKey, { scope, apiKeyId: key }),
});
