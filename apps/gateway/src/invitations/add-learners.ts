import { addLearners, emailAddress, Failure } from '#libs/contracts';
import * as z from 'zod';
import { chosenFieldSet } from '../answers/chosen-fields.ts';
import { defineOperation } from '../operations/operation.ts';
import { type GivenParameters, single } from '../parameters/given-parameters.ts';
import { flag, jsonText } from '../parameters/parameter-types.ts';
import {
  addedLearnersDescription,
  invitationDescription,
  invitationWithRegistrationsDescription,
} from './invitation-description.ts';

const emails = jsonText(z.array(emailAddress).max(20_000)).optional();

const isExtended = (given: GivenParameters) => chosenFieldSet(given) === 'extended';
const showsRegistrations = (given: GivenParameters) =>
  flag.safeParse(single(given, 'show_registration_guids')).data === true;

/** Thousands of learners, each with a registration a course: milliseconds. */
const longTime = 120_000;

/** Invitation: add_learners (decisions 24 and 25). Long lists go into the body of a POST. */
export const addLearnersOperation = defineOperation({
  name: 'invitation add_learners',
  summary:
    'Add learners to an invitation and remove others, with their registrations and licence seats.',
  routes: [
    { method: 'GET', path: '/invitation/add_learners' },
    { method: 'POST', path: '/invitation/add_learners' },
  ],
  parameters: z.object({
    name: z.string().optional(),
    learners: emails,
    unlearners: emails,
    nodelay: flag,
    skip_external_initialization: flag,
    show_registration_guids: flag,
  }),
  record: (given) => {
    if (isExtended(given)) return addedLearnersDescription;
    return showsRegistrations(given)
      ? invitationWithRegistrationsDescription
      : invitationDescription;
  },
  variants: [
    invitationDescription,
    invitationWithRegistrationsDescription,
    addedLearnersDescription,
  ],
  status: 200,
  refusals: [404],
  time: longTime,
  answer: async ({ bus, scope, parameters, given }) => {
    if (!parameters.name) throw new Failure('not-found', 'no invitation is named');
    const { record, registrationGuids, messages } = await bus.request(addLearners, {
      scope,
      name: parameters.name,
      learners: parameters.learners ?? [],
      unlearners: parameters.unlearners ?? [],
      nodelay: parameters.nodelay,
      skipExternalInitialization: parameters.skip_external_initialization,
    });
    if (isExtended(given)) {
      return { record: { record, registration_guids: registrationGuids, messages } };
    }
    return {
      record: showsRegistrations(given)
        ? { ...record, registration_guids: registrationGuids }
        : record,
    };
  },
});
