import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

export const invitationsRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'invitations',
  validateSearch: z.object({
    name: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(255))), undefined),
    cursor: z.catch(z.optional(z.string()), undefined),
  }),
  staticData: { access: 'reader' },
  component: lazyRouteComponent(() => import('./InvitationsPage.tsx'), 'InvitationsPage'),
});
