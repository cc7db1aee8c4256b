import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

const text = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(255))), undefined);
const day = z.catch(z.optional(z.iso.date()), undefined);
const mark = z.catch(z.optional(z.literal(true)), undefined);

export const completions = ['unknown', 'incomplete', 'complete'] as const;
export const successes = ['unknown', 'failed', 'succeeded'] as const;

const search = z.object({
  learner: text,
  course: text,
  registration: text,
  complete: z.catch(z.optional(z.enum(completions)), undefined),
  success: z.catch(z.optional(z.enum(successes)), undefined),
  /** Days in the reader's zone. */
  updatedSince: day,
  createdSince: day,
  /** Lists inactive registrations too. */
  inactive: mark,
  /** Leaves out registrations that were deleted at the provider. */
  notDeleted: mark,
  sort: z.catch(z.optional(z.enum(['id', '-id', 'updated_at', '-updated_at'])), undefined),
  cursor: z.catch(z.optional(z.string()), undefined),
});
export type RegistrationsSearch = z.output<typeof search>;

export const registrationsRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'registrations',
  validateSearch: search,
  staticData: { access: 'reader' },
  component: lazyRouteComponent(() => import('./RegistrationsPage.tsx'), 'RegistrationsPage'),
});
