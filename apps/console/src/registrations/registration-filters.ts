import {
  completion,
  filterText,
  type RegistrationFilters,
  registrationSorts,
  success,
  timestamp,
} from '@registrar/contracts';
import * as z from 'zod';

/** Which registrations a list or an export has, and in which order: the filters of the API's registration index. */
export const registrationSelection = {
  learner: filterText.optional(),
  course: filterText.optional(),
  registration: filterText.optional(),
  complete: completion.optional(),
  success: success.optional(),
  updatedSince: timestamp.optional(),
  createdSince: timestamp.optional(),
  includeInactive: z.boolean().default(false),
  includeDeleted: z.boolean().default(true),
  sort: z.enum(registrationSorts).default('-id'),
};
const selection = z.object(registrationSelection);

/** The input of enrolment's registration index, but for the scope. */
export function toIndexInput({
  learner,
  course,
  registration,
  includeInactive,
  includeDeleted,
  sort,
  ...filters
}: z.output<typeof selection>) {
  const { complete, success: result, updatedSince, createdSince } = filters;
  const named: RegistrationFilters = {
    learnerId: learner,
    courseGuid: course,
    registrationGuid: registration,
    complete,
    success: result,
    updatedSince,
    createdSince,
  };
  return { filters: named, lastOnly: false, includeInactive, includeDeleted, sort };
}
