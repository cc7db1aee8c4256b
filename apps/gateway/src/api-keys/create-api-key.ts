import { apiKeyRecord, createApiKey, emailAddress } from '#libs/contracts';
import { describeRecord } from '#libs/formats';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { idNumber } from '../parameters/parameter-types.ts';

/** API key: create, gcreate and the path `/api_key/create` (decision 15). */
export const createApiKeyOperation = defineOperation({
  name: 'api_key create',
  summary: 'Make an API key. Its token is shown this once.',
  routes: [
    { method: 'POST', path: '/api_key' },
    { method: 'GET', path: '/api_key/gcreate' },
    { method: 'GET', path: '/api_key/create' },
    { method: 'POST', path: '/api_key/create' },
  ],
  parameters: z.object({
    user_email: emailAddress.optional(),
    course_provider_id: idNumber.optional(),
  }),
  record: describeRecord('api-key', 'api-keys', apiKeyRecord),
  status: 201,
  refusals: [404],
  answer: async ({ bus, scope, parameters }) => ({
    record: await bus.request(createApiKey, {
      scope,
      userEmail: parameters.user_email ?? null,
      applicationId: parameters.course_provider_id ?? null,
    }),
  }),
});
