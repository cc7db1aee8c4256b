import { launchRecord, launchRegistration } from '#libs/contracts';
import { describeRecord } from '#libs/formats';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { pathGuid } from '../operations/path-guid.ts';
import { flag, webAddress } from '../parameters/parameter-types.ts';

/** Registration: launch_url (decision 20). `tags` and `launching` are taken and have no effect. */
export const launchRegistrationOperation = defineOperation({
  name: 'registration launch_url',
  summary: 'Answer a URL that opens the course for the learner, soon and without a login.',
  routes: [{ method: 'GET', path: '/registration/:registration_guid/launch_url' }],
  parameters: z.object({
    review: flag,
    redirect_url: webAddress.optional(),
    tags: z.string().optional(),
    launching: z.string().optional(),
  }),
  record: describeRecord('launch', 'launches', launchRecord),
  status: 200,
  refusals: [404],
  answer: async ({ bus, scope, path, parameters }) => ({
    record: await bus.request(launchRegistration, {
      scope,
      registrationGuid: pathGuid(path['registration_guid']),
      review: parameters.review,
      redirectUrl: parameters.redirect_url ?? null,
    }),
  }),
});
