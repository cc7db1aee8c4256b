import {
  allPermissions,
  apiKeyRecord,
  apiKeyRecordWithoutToken,
  createApiKey,
  deleteApiKey,
  emailAddress,
  lifetimeHoursText,
  permissionsText,
  renewApiKey,
  requireApiKey,
  requirePair,
} from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { presentedToken } from '../access/access-mode.ts';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { parsePathId } from '../operations/named-item.ts';
import { idParameter } from '../parameters/parameter-types.ts';

const apiKeyDefinition = defineRecord('api-key', 'api-keys', apiKeyRecord);

/** The operations on API keys (contract/api-keys). */
export const apiKeyOperations: readonly Operation[] = [
  // contract/api-keys#create
  defineOperation({
    name: 'api_key create',
    summary: 'Creates an API key. Its token is shown only in this response.',
    routes: [
      { method: 'POST', path: '/api_key' },
      { method: 'GET', path: '/api_key/gcreate' },
      { method: 'GET', path: '/api_key/create' },
      { method: 'POST', path: '/api_key/create' },
    ],
    parameters: z.object({
      user_email: emailAddress
        .optional()
        .describe('Binds the key to this user, who is created if necessary.'),
      course_provider_id: idParameter
        .optional()
        .describe('With a realm pair: binds the key to this provider application.'),
      permissions: permissionsText.optional().meta({
        description: 'What the key may be used for, separated by commas; without it, everything.',
        example: 'read,launch',
      }),
      lifetime_hours: lifetimeHoursText.optional().meta({
        description: 'Shortens the lifetime of the key.',
        example: 8,
      }),
    }),
    record: apiKeyDefinition,
    status: 201,
    errorStatuses: [404],
    requireAccess: requirePair,
    allowsRealmPairBeside: true,
    execute: async ({ bus, scope, applicationId, parameters }) => ({
      record: await bus.request(createApiKey, {
        scope,
        userEmail: parameters.user_email ?? null,
        applicationId: parameters.course_provider_id ?? applicationId,
        permissions: parameters.permissions ?? [...allPermissions],
        lifetimeHours: parameters.lifetime_hours ?? null,
      }),
    }),
  }),

  // contract/api-keys#renew
  defineOperation({
    name: 'api_key renew',
    summary: 'Renews the API key of the request: its lifetime starts again.',
    routes: [
      { method: 'GET', path: '/api_key/renew' },
      { method: 'POST', path: '/api_key/renew' },
    ],
    record: apiKeyDefinition,
    changesAccess: true,
    permission: null,
    requireAccess: requireApiKey,
    execute: async ({ bus, scope, given }) => {
      const key = await bus.request(renewApiKey, { scope });
      return { record: { ...key, access_token: presentedToken(given) } };
    },
  }),

  // contract/api-keys#delete
  defineOperation({
    name: 'api_key delete',
    summary: 'Deletes an API key: without an id, the key that the request carries.',
    routes: [
      { method: 'DELETE', path: '/api_key' },
      { method: 'DELETE', path: '/api_key/:id' },
    ],
    record: defineRecord('api-key', 'api-keys', apiKeyRecordWithoutToken),
    changesAccess: true,
    // A key needs none to delete itself; identity requires `write` of one that deletes another.
    permission: null,
    execute: async ({ bus, scope, path: { id } }) => ({
      record: await bus.request(deleteApiKey, {
        scope,
        apiKeyId: id === undefined ? null : parsePathId(id),
      }),
    }),
  }),
];
