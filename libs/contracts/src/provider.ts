import * as z from 'zod';
import { defineRequest } from './message.ts';

/** For the operator: makes or changes an application (an account) at our own course provider. */
export const putApplication = defineRequest('provider.put-application', {
  changes: 'once',
  input: z.object({
    appId: z.string().min(1).max(255),
    name: z.string().min(1).max(200),
    secretKey: z.string().min(16).max(255),
    /** How many registrations it may hold; null for no limit. */
    registrationLimit: z.int().min(0).nullable(),
  }),
  reply: z.object({}),
});
