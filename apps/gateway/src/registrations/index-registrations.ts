import { indexRegistrations, recrawlRegistrations } from '#libs/contracts';
import * as z from 'zod';
import { bothNames } from '../operations/both-names.ts';
import { defineOperation } from '../operations/operation.ts';
import { single } from '../parameters/given-parameters.ts';
import { exact, flag } from '../parameters/parameter-types.ts';
import {
  listedRegistrationDescription,
  registrationDescription,
} from './registration-description.ts';

/**
 * Registration: index (decision 16). `crawl` and `refresh_if_launched` bring the registrations up
 * to date with the provider first (decision 29).
 */
export const indexRegistrationsOperation = defineOperation({
  name: 'registration index',
  summary: 'List registrations with their progress, fresh from the provider if wanted.',
  routes: [{ method: 'GET', path: '/registration' }],
  parameters: z.object({
    id: exact,
    registration_guid: exact,
    course_guid: exact,
    learner_id: exact,
    last_only: flag,
    crawl: flag,
    refresh_if_launched: flag,
    include_inactive: flag,
  }),
  expressions: ['id', 'registration_guid', 'course_guid', 'learner_id'],
  record: (given) =>
    flag.safeParse(single(given, 'include_inactive')).data
      ? listedRegistrationDescription
      : registrationDescription,
  variants: [registrationDescription, listedRegistrationDescription],
  list: true,
  status: 200,
  answer: async ({ bus, scope, parameters, patterns }) => {
    const { id, registration_guid, course_guid, learner_id } = parameters;
    const { last_only: lastOnly, crawl, refresh_if_launched } = parameters;
    const { include_inactive: includeInactive } = parameters;
    const expressions = {
      courseGuid: patterns['course_guid'],
      learnerId: patterns['learner_id'],
      registrationGuid: [...(patterns['id'] ?? []), ...(patterns['registration_guid'] ?? [])],
    };
    return bothNames(id, registration_guid, (registrationGuid) => {
      const filters = {
        courseGuid: course_guid,
        learnerId: learner_id,
        registrationGuid,
        patterns: expressions,
      };
      const asked = { scope, filters, lastOnly };
      return afterwards(
        async () => {
          if (!crawl && !refresh_if_launched) return;
          const which = crawl ? 'all' : 'launched';
          await bus.request(recrawlRegistrations, { ...asked, which });
        },
        () => bus.pages(indexRegistrations, { ...asked, includeInactive }),
      );
    });
  },
});

async function* afterwards<Page>(
  first: () => Promise<void>,
  pages: () => AsyncIterable<Page>,
): AsyncGenerator<Page> {
  await first();
  yield* pages();
}
