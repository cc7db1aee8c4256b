import { createRegistration, emailAddress, Failure } from '#libs/contracts';
import * as z from 'zod';
import { defineOperation } from '../operations/operation.ts';
import { flag } from '../parameters/parameter-types.ts';
import { createdRegistrationDescription } from './registration-description.ts';

/**
 * Registration: create and gcreate. The learner of a key that is bound to a user is that user
 * (decision 14).
 */
export const createRegistrationOperation = defineOperation({
  name: 'registration create',
  summary: 'Register a learner for a course.',
  routes: [
    { method: 'POST', path: '/registration' },
    { method: 'GET', path: '/registration/gcreate' },
  ],
  parameters: z.object({
    course_guid: z.string().max(255).optional(),
    learner_id: emailAddress.optional(),
    dont_duplicate: flag,
    check_hosted: flag,
    fname: z.string().max(255).default(''),
    lname: z.string().max(255).default(''),
  }),
  record: createdRegistrationDescription,
  status: 201,
  refusals: [403, 404],
  providerBeside: true,
  answer: async ({ bus, scope, applicationId, parameters }) => {
    const { course_guid: courseGuid, learner_id } = parameters;
    const learnerId = learner_id ?? scope.user?.email;
    if (!learnerId) throw new Failure('invalid', 'learner_id is not given');
    if (!courseGuid) throw new Failure('not-found', 'course_guid is not given');
    return {
      record: await bus.request(createRegistration, {
        scope,
        applicationId,
        courseGuid,
        learnerId,
        firstName: parameters.fname,
        lastName: parameters.lname,
        dontDuplicate: parameters.dont_duplicate,
        checkHosted: parameters.check_hosted,
      }),
    };
  },
});
