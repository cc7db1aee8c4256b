import { apiKeyRecord, createApiKey, emailAddress, requirePair } from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { idParameter } from '../parameters/parameter-types.ts';

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
    }),
    record: defineRecord('api-key', 'api-keys', apiKeyRecord),
    status: 201,
    errorStatuses: [404],
    requireAccess: requirePair,
    execute: async ({ bus, scope, parameters }) => ({
      record: await bus.request(createApiKey, {
        scope,
        userEmail: parameters.user_email ?? null,
        applicationId: parameters.course_provider_id ?? null,
      }),
    }),
  }),
];
