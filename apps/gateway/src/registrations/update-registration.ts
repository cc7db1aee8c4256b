import { Failure, updateRegistration } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { pathGuid } from '../operations/path-guid.ts';
import { jsonText } from '../parameters/parameter-types.ts';
import { registrationDescription } from './registration-description.ts';

/** Registration: update and gupdate (decision 22); `:id` is the registration's GUID. */
export const updateRegistrationOperation = defineOperation({
  name: 'registration update',
  summary: "Set a registration's custom data.",
  routes: [
    { method: 'PUT', path: '/registration/:id' },
    { method: 'POST', path: '/registration/:id' },
    { method: 'GET', path: '/registration/gupdate/:id' },
  ],
  parameters: z.object({ custom: jsonText(z.json()).optional() }),
  record: registrationDescription,
  status: 200,
  refusals: [404],
  answer: async ({ bus, scope, path, parameters: { custom } }) => {
    if (custom === undefined) throw new Failure('invalid', 'custom is not given');
    const registrationGuid = pathGuid(path['id']);
    return { record: await bus.request(updateRegistration, { scope, registrationGuid, custom }) };
  },
});
