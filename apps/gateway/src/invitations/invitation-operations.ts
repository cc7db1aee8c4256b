import {
  type AccessScope,
  addLearners,
  createInvitation,
  deleteInvitation,
  type EmailAddress,
  emailAddress,
  Failure,
  indexInvitations,
  requireLicenseAccess,
  requireRealmAccess,
  textLimits,
  updateInvitation,
} from '@registrar/contracts';
import * as z from 'zod';
import { listedValues } from '../compatibility/bright.ts';
import { listParameters, readList } from '../lists/paging.ts';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { parsePathId, parseUpdateTarget } from '../operations/named-item.ts';
import { singleRecord, singleRecordPageSize } from '../operations/single-record.ts';
import { exactFilter, flag, idParameter, jsonText } from '../parameters/parameter-types.ts';
import { type RequestParameters, singleValue } from '../parameters/request-parameters.ts';
import { parseFieldSet } from '../responses/field-selection.ts';
import {
  addedLearnersDefinition,
  invitationDefinition,
  invitationWithMessagesDefinition,
  invitationWithRegistrationsDefinition,
  knownInvitationDefinition,
} from './invitation-definition.ts';
import { invitationParameters, toInvitationInput } from './invitation-parameters.ts';

/** Small pages, because an invitation may have thousands of learners. */
const pageSizes = { each: 20, most: 100 };

/** Thousands of learners, with a registration for each course (contract/invitations#add-limit). */
const addLearnersTimeoutMs = 120_000;

const emailList = jsonText(z.array(emailAddress).max(20_000)).optional();
const name = z.string().min(1).max(textLimits.name);

/** The operations on invitations (contract/invitations). */
export const invitationOperations: readonly Operation[] = [
  // contract/invitations#index
  defineOperation({
    name: 'invitation index',
    summary: "Lists the realm's invitations.",
    routes: [{ method: 'GET', path: '/invitation' }],
    parameters: z.object({
      id: idParameter.optional().describe('The invitation with this id.'),
      name: exactFilter.describe('The invitation with this name.'),
      ...listParameters,
    }),
    record: (_given, { scope }) => (scope.user ? knownInvitationDefinition : invitationDefinition),
    recordVariants: [invitationDefinition],
    list: true,
    requireAccess: requireLicenseAccess,
    execute: async ({ bus, scope, parameters: { id, name, ...range } }) => ({
      pages: readList(bus, indexInvitations, { scope, filters: { id, name } }, range, pageSizes),
    }),
  }),

  // contract/invitations#show
  defineOperation({
    name: 'invitation show',
    summary: 'Returns an invitation.',
    routes: [{ method: 'GET', path: '/invitation/:id' }],
    record: invitationDefinition,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path }) => {
      const filters = { id: parsePathId(path['id']) };
      const found = bus.pages(indexInvitations, { scope, filters }, singleRecordPageSize);
      return { record: await singleRecord(found) };
    },
  }),

  // contract/invitations#create
  defineOperation({
    name: 'invitation create',
    summary: 'Creates an invitation.',
    routes: [
      { method: 'POST', path: '/invitation' },
      { method: 'GET', path: '/invitation/gcreate' },
    ],
    parameters: z.object({
      name: z
        .string()
        .max(textLimits.name)
        .optional()
        .meta({
          description:
            'The name, which no other invitation of the realm has. A license without one gets a generated key.',
          examples: ['autumn', 'winter'],
        }),
      ...invitationParameters,
    }),
    listFilters: ['course_guid', 'learners'],
    record: invitationDefinition,
    status: 201,
    errorStatuses: [404],
    requireAccess: requireCreateAccess,
    execute: async ({ bus, scope, parameters, lists }) => {
      const listedCourses = listedValues(scope, lists, 'course_guid');
      const learners = parseLearners(listedValues(scope, lists, 'learners'));
      const input = toInvitationInput(parameters);
      const record = await bus.request(createInvitation, {
        scope,
        name: parameters.name || null,
        ...input,
        courseGuids: listedCourses ?? input.courseGuids,
      });
      if (learners.length === 0) return { record };
      const added = await bus.request(addLearners, {
        scope,
        name: record.name,
        learners,
        unlearners: [],
        nodelay: false,
        skipExternalInitialization: false,
      });
      return { record: added.record };
    },
  }),

  // contract/invitations#update
  defineOperation({
    name: 'invitation update',
    summary: 'Changes an invitation.',
    routes: [
      { method: 'PUT', path: '/invitation/:id' },
      { method: 'POST', path: '/invitation/:id' },
      { method: 'GET', path: '/invitation/gupdate' },
      { method: 'GET', path: '/invitation/gupdate/:id' },
    ],
    namedBy: 'name',
    parameters: z.object({
      name: name.optional().meta({
        description: 'With an id in the path: the new name. Without: the invitation to change.',
        example: 'autumn',
      }),
      ...invitationParameters,
    }),
    record: invitationDefinition,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path, parameters }) => {
      const { target, newName } = parseUpdateTarget(path['id'], parameters.name);
      return {
        record: await bus.request(updateInvitation, {
          scope,
          invitation: target,
          name: newName,
          ...toInvitationInput(parameters),
        }),
      };
    },
  }),

  // contract/invitations#delete
  defineOperation({
    name: 'invitation delete',
    summary:
      'Deletes an invitation with its seats; the registrations of its learners become inactive.',
    routes: [{ method: 'DELETE', path: '/invitation/:id' }],
    record: invitationDefinition,
    timeoutMs: addLearnersTimeoutMs,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path }) => ({
      record: await bus.request(deleteInvitation, { scope, id: parsePathId(path['id']) }),
    }),
  }),

  // contract/invitations#add-learners
  defineOperation({
    name: 'invitation add_learners',
    summary:
      'Adds learners to an invitation and removes others, with their registrations and license seats.',
    routes: [
      { method: 'GET', path: '/invitation/add_learners' },
      { method: 'POST', path: '/invitation/add_learners' },
    ],
    namedBy: 'name',
    parameters: z.object({
      name: z
        .string()
        .optional()
        .meta({ description: 'The name of the invitation.', example: 'autumn' }),
      learners: emailList.meta({
        description: 'The e-mail addresses of the learners to add.',
        example: '["learner@example.com"]',
      }),
      unlearners: emailList.describe('The e-mail addresses of the learners to remove.'),
      nodelay: flag.describe(
        'Creates the registrations at the provider before the response, not soon after it.',
      ),
      skip_external_initialization: flag.describe(
        'Never creates the registrations at the provider; for tests.',
      ),
      show_registration_guids: flag.describe('Shows the registrations by learner and course.'),
    }),
    record: (given) => {
      if (isExtended(given)) return addedLearnersDefinition;
      if (isSet(given, 'show_registration_guids')) return invitationWithRegistrationsDefinition;
      return isSet(given, 'nodelay') ? invitationWithMessagesDefinition : invitationDefinition;
    },
    recordVariants: [
      invitationDefinition,
      invitationWithMessagesDefinition,
      invitationWithRegistrationsDefinition,
      addedLearnersDefinition,
    ],
    requireAccess: requireRealmAccess,
    timeoutMs: addLearnersTimeoutMs,
    execute: async ({ bus, scope, parameters, given }) => {
      if (!parameters.name) throw new Failure('not-found', 'the name of the invitation is missing');
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
      const shown = isSet(given, 'show_registration_guids')
        ? { ...record, registration_guids: registrationGuids }
        : record;
      return { record: { ...shown, messages } };
    },
  }),
];

/** Learners are added with realm access alone. */
function requireCreateAccess(scope: AccessScope, given: RequestParameters): void {
  requireLicenseAccess(scope);
  if ([...given.keys()].some((name) => name.startsWith('learners['))) requireRealmAccess(scope);
}

/** @throws {Failure} `invalid` for what is no e-mail address */
function parseLearners(values: readonly string[] | null): EmailAddress[] {
  const parsed = z.array(emailAddress).safeParse(values ?? []);
  if (parsed.success) return parsed.data;
  throw new Failure('invalid', 'learners[] is no e-mail address');
}

const isExtended = (given: RequestParameters) => parseFieldSet(given) === 'extended';

const isSet = (given: RequestParameters, name: 'nodelay' | 'show_registration_guids') =>
  flag.safeParse(singleValue(given, name)).data === true;
