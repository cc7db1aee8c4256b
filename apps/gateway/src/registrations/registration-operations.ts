import type { BusClient, InputOf } from '@registrar/bus';
import {
  type AccessScope,
  completion,
  createRegistration,
  customJson,
  deleteRegistration,
  emailAddress,
  guid,
  indexRegistrations,
  isBright,
  launchRecord,
  launchRegistration,
  mergeRegistrationCustom,
  recrawlRegistrations,
  redirectUrl,
  registrationSorts,
  requireOwnLearner,
  requireRealmAccess,
  success,
  textLimits,
  updateRegistration,
} from '@registrar/contracts';
import { defineRecord } from '@registrar/formats';
import * as z from 'zod';
import { launchRedirect, mergedKey, requireLast } from '../compatibility/bright.ts';
import { emptyList, listParameters, readList } from '../lists/paging.ts';
import { defineOperation, type Operation } from '../operations/operation.ts';
import { parsePathGuid } from '../operations/named-item.ts';
import { singleRecord, singleRecordPageSize } from '../operations/single-record.ts';
import {
  customMergeParameters,
  customMergeValues,
  optionalKey,
} from '../parameters/custom-merge.ts';
import {
  exactFilter,
  flag,
  flagFilter,
  jsonText,
  seconds,
  time,
} from '../parameters/parameter-types.ts';
import {
  invalidParameter,
  type RequestParameters,
  singleValue,
} from '../parameters/request-parameters.ts';
import {
  createdRegistrationDefinition,
  indexedRegistrationDefinition,
  listedRegistrationDefinition,
  registrationDefinition,
} from './registration-definition.ts';

const recrawlParameters = {
  crawl: flag.describe('Refreshes from the provider first, at most 100 registrations.'),
  refresh_if_launched: flag.describe(
    'Refreshes from the provider first those launched since their last crawl.',
  ),
  max_age: seconds.optional().meta({
    description:
      'Refreshes from the provider first those whose `synced_at`, which `fields` can name, is more seconds ago.',
    example: 60,
  }),
};
const recrawlSchema = z.object(recrawlParameters);
type RecrawlParameters = z.output<typeof recrawlSchema>;

/** Which registrations an index lists by their result and their times, and in which order. */
const rangeFilters = {
  complete: completion.optional().describe('Registrations of this completion.'),
  success: success.optional().describe('Registrations of this success.'),
  updated_since: time
    .optional()
    .describe(
      'Registrations that were updated at this time or later, in the order of `updated_at` unless `sort` is given.',
    ),
  created_since: time.optional().describe('Registrations that were created at this time or later.'),
  sort: z
    .enum(registrationSorts)
    .optional()
    .describe('The order of the list, with a minus the reverse order. `id` by default.'),
};

/** The operations on registrations (contract/registrations). */
export const registrationOperations: readonly Operation[] = [
  // contract/registrations#index
  defineOperation({
    name: 'registration index',
    summary: 'Lists registrations with their progress, refreshed from the provider on request.',
    routes: [{ method: 'GET', path: '/registration' }],
    parameters: z.object({
      id: exactFilter.describe('The same as `registration_guid`.'),
      registration_guid: exactFilter.describe('The registration with this GUID.'),
      course_guid: exactFilter.describe('Registrations for the course with this GUID.'),
      learner_id: exactFilter.describe(
        'Registrations of the learner with this e-mail address; case is ignored.',
      ),
      last_only: flag.describe('Only the most recently created registration.'),
      ...recrawlParameters,
      include_inactive: flag.describe(
        'Lists inactive registrations too, and shows `active` in each.',
      ),
      include_deleted: flagFilter.describe(
        'When false, leaves out registrations that were deleted at the provider.',
      ),
      ...rangeFilters,
      ...listParameters,
    }),
    patternFilters: ['id', 'registration_guid', 'course_guid', 'learner_id'],
    listFilters: ['course_guid'],
    record: (given) =>
      flag.safeParse(singleValue(given, 'include_inactive')).data
        ? listedRegistrationDefinition
        : indexedRegistrationDefinition,
    recordVariants: [indexedRegistrationDefinition, listedRegistrationDefinition],
    list: true,
    crawls: asksToCrawl,
    requireAccess: requireOwnLearners,
    execute: async ({ bus, scope, parameters, patterns, lists, mayBeOld }) => {
      const { id, registration_guid, course_guid, learner_id } = parameters;
      const { last_only: lastOnly } = parameters;
      const { include_inactive: includeInactive, include_deleted } = parameters;
      const expressions = {
        courseGuid: patterns['course_guid'],
        learnerId: patterns['learner_id'],
        registrationGuid: [...(patterns['id'] ?? []), ...(patterns['registration_guid'] ?? [])],
      };
      // contract/parameters#id-and-guid
      if ((id ?? registration_guid) !== (registration_guid ?? id))
        return { pages: emptyList(parameters) };
      const filters = {
        courseGuid: course_guid,
        courseGuids: lists['course_guid'],
        learnerId: learner_id,
        registrationGuid: registration_guid ?? id,
        complete: parameters.complete,
        success: parameters.success,
        updatedSince: parameters.updated_since,
        createdSince: parameters.created_since,
        patterns: expressions,
      };
      // contract/registrations#sort-default
      const usualSort = parameters.updated_since === undefined ? undefined : 'updated_at';
      const selected = { scope, filters, lastOnly };
      const listed = {
        ...selected,
        includeInactive,
        includeDeleted: include_deleted ?? true,
        sort: parameters.sort ?? usualSort,
        // It shows what was refreshed.
        mayBeOld: mayBeOld && toRecrawl(parameters) === null,
      };
      // Both happen when the first page is read.
      const refreshThenList = async function* () {
        await recrawl(bus, selected, parameters);
        const pages = readList(bus, indexRegistrations, listed, parameters);
        yield* lastOnly && isBright(scope) ? requireLast(pages) : pages;
      };
      return { pages: refreshThenList() };
    },
  }),

  // contract/registrations#show; `:id` is the registration's GUID
  defineOperation({
    name: 'registration show',
    summary: 'Returns a registration with its progress, inactive and deleted ones too.',
    routes: [{ method: 'GET', path: '/registration/:id' }],
    hasTextId: true,
    parameters: recrawlSchema,
    record: listedRegistrationDefinition,
    crawls: asksToCrawl,
    execute: async ({ bus, scope, path, parameters }) => {
      const filters = { registrationGuid: parsePathGuid(path['id']) };
      const selected = { scope, filters, lastOnly: false };
      await recrawl(bus, selected, parameters);
      const which = { ...selected, includeInactive: true, includeDeleted: true };
      return {
        record: await singleRecord(bus.pages(indexRegistrations, which, singleRecordPageSize)),
      };
    },
  }),

  // contract/registrations#create
  defineOperation({
    name: 'registration create',
    summary: 'Registers a learner for a course.',
    routes: [
      { method: 'POST', path: '/registration' },
      { method: 'GET', path: '/registration/gcreate' },
    ],
    parameters: z.object({
      course_guid: guid.meta({ description: "The course's GUID.", example: 'first-aid-basics' }),
      learner_id: emailAddress.optional().meta({
        description: "The learner's e-mail address; optional with a user-bound key.",
        example: 'learner@example.com',
      }),
      dont_duplicate: flag.describe(
        'Returns an existing registration of this course and learner, if there is one.',
      ),
      check_hosted: flag.describe(
        'Looks for an existing registration at the provider too. Also named `check_scorm_cloud`.',
      ),
      fname: z.string().max(textLimits.personName).default('').meta({
        description: "The learner's first name at the provider. Also named `first_name`.",
        example: 'Robin',
      }),
      lname: z.string().max(textLimits.personName).default('').meta({
        description: "The learner's last name at the provider. Also named `last_name`.",
        example: 'Learner',
      }),
    }),
    formerNames: {
      first_name: 'fname',
      last_name: 'lname',
      check_scorm_cloud: 'check_hosted',
    },
    record: createdRegistrationDefinition,
    status: 201,
    errorStatuses: [403],
    requireAccess: requireOwnLearners,
    allowsProviderPair: true,
    requiredItem: 'course_guid',
    execute: async ({ bus, scope, applicationId, parameters }) => {
      const { course_guid: courseGuid, learner_id } = parameters;
      // A user-bound key registers its user (contract/access#user-key-create).
      const learnerId = learner_id ?? scope.user?.email;
      if (!learnerId) throw invalidParameter('learner_id', 'learner_id is not given');
      const record = await bus.request(createRegistration, {
        scope,
        applicationId,
        courseGuid,
        learnerId,
        firstName: parameters.fname,
        lastName: parameters.lname,
        dontDuplicate: parameters.dont_duplicate,
        checkHosted: parameters.check_hosted,
      });
      // contract/compatibility#dont-duplicate
      return record.is_duplicate && isBright(scope) ? { record, status: 302 } : { record };
    },
  }),

  // contract/registrations#update; `:id` is the registration's GUID
  defineOperation({
    name: 'registration update',
    summary: "Changes a registration's custom data.",
    routes: [
      { method: 'PUT', path: '/registration/:id' },
      { method: 'POST', path: '/registration/:id' },
      { method: 'GET', path: '/registration/gupdate/:id' },
    ],
    hasTextId: true,
    parameters: z.object({
      custom: jsonText(customJson).meta({
        description: 'Any JSON value.',
        example: '{"department":"sales"}',
      }),
    }),
    record: registrationDefinition,
    execute: async ({ bus, scope, path, parameters: { custom } }) => {
      const registrationGuid = parsePathGuid(path['id']);
      return { record: await bus.request(updateRegistration, { scope, registrationGuid, custom }) };
    },
  }),

  // contract/registrations#gcustom
  defineOperation({
    name: 'registration gcustom',
    summary: "Merges parameters into a registration's custom data.",
    routes: [
      { method: 'GET', path: '/registration/:registration_guid/gcustom' },
      { method: 'POST', path: '/registration/:registration_guid/gcustom' },
    ],
    parameters: z.object({ ...customMergeParameters, key: optionalKey }),
    acceptsExtraParameters: true,
    record: registrationDefinition,
    execute: async ({ bus, scope, path, parameters, extraParameters }) => ({
      record: await bus.request(mergeRegistrationCustom, {
        scope,
        registrationGuid: parsePathGuid(path['registration_guid']),
        key: mergedKey(scope, parameters.key),
        values: customMergeValues(parameters, extraParameters),
      }),
    }),
  }),

  // contract/registrations#delete; `:id` is the registration's GUID
  defineOperation({
    name: 'registration delete',
    summary: 'Deletes a registration, at the course provider too.',
    routes: [{ method: 'DELETE', path: '/registration/:id' }],
    hasTextId: true,
    record: registrationDefinition,
    requireAccess: requireRealmAccess,
    execute: async ({ bus, scope, path }) => {
      const registrationGuid = parsePathGuid(path['id']);
      return { record: await bus.request(deleteRegistration, { scope, registrationGuid }) };
    },
  }),

  // contract/registrations#launch
  defineOperation({
    name: 'registration launch_url',
    summary: 'Returns a URL that opens the course for the learner, soon and without a login.',
    routes: [{ method: 'GET', path: '/registration/:registration_guid/launch_url' }],
    parameters: z.object({
      review: flag.describe('Opens the course for reading; no progress is tracked.'),
      redirect_url: redirectUrl.optional().meta({
        description: 'Where the browser goes when the learner exits the course.',
        example: 'https://client.example/back?a=1',
      }),
      tags: z.string().optional().meta({
        description: 'Accepted from older clients; has no effect.',
        deprecated: true,
        example: '[]',
      }),
      launching: z
        .string()
        .optional()
        .meta({ description: 'Has no effect.', deprecated: true, example: 't' }),
    }),
    record: defineRecord('launch', 'launches', launchRecord),
    writes: true,
    permission: 'launch',
    execute: async ({ bus, scope, path, parameters }) => {
      const registrationGuid = parsePathGuid(path['registration_guid']);
      return {
        record: await bus.request(launchRegistration, {
          scope,
          registrationGuid,
          review: parameters.review,
          redirectUrl: launchRedirect(scope, registrationGuid, parameters.redirect_url),
        }),
      };
    },
  }),
];

/** The learner that a request names is part of its access (contract/access#user-key-other-learner). */
function requireOwnLearners(scope: AccessScope, given: RequestParameters): void {
  for (const learnerId of given.get('learner_id') ?? []) {
    if (learnerId !== '') requireOwnLearner(scope, learnerId);
  }
}

/** Whether a request refreshes records from the provider first. */
function asksToCrawl(parameters: RecrawlParameters): boolean {
  return toRecrawl(parameters) !== null;
}

/** Refreshes the selected registrations from the provider if the parameters request it. */
async function recrawl(
  bus: BusClient,
  selected: Omit<InputOf<typeof recrawlRegistrations>, 'which'>,
  requested: RecrawlParameters,
): Promise<void> {
  const which = toRecrawl(requested);
  if (which) await bus.request(recrawlRegistrations, { ...selected, which });
}

/** Returns which registrations the parameters refresh; null for none. */
function toRecrawl({
  crawl,
  refresh_if_launched: launched,
  max_age,
}: RecrawlParameters): InputOf<typeof recrawlRegistrations>['which'] | null {
  if (crawl) return 'all';
  if (max_age !== undefined) return { launched, olderThanSeconds: max_age };
  return launched ? 'launched' : null;
}
