import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { shellRoute } from '../../shell/shell-routes.ts';

/** The apps that park events. */
export const parkingApps = ['catalog', 'crawler', 'enrolment', 'identity', 'provider'] as const;

export const parkedEventsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/parked-events',
  validateSearch: z.object({
    /** The app whose events are listed; all by default. */
    context: z.catch(z.optional(z.enum(parkingApps)), undefined),
    cursor: z.catch(z.optional(z.string()), undefined),
    /** The event that is open, as `APP/ID`. */
    open: z.catch(z.optional(z.string().check(z.regex(/^[a-z]+\/(in|out)-\d+$/))), undefined),
  }),
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./ParkedEventsPage.tsx'), 'ParkedEventsPage'),
});
