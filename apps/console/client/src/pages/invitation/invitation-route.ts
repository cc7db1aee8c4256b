import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

export const invitationRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'invitations/$invitation',
  validateSearch: z.object({
    /** The learner that the list is limited to. */
    learner: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(254))), undefined),
    cursor: z.catch(z.optional(z.string()), undefined),
    /** The page of the courses. */
    courses: z.catch(z.optional(z.string()), undefined),
  }),
  staticData: { access: 'reader' },
  component: lazyRouteComponent(() => import('./InvitationPage.tsx'), 'InvitationPage'),
});
