import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

export const courseRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'courses/$course',
  /** Whether the settings are read from the provider. */
  validateSearch: z.object({ settings: z.catch(z.optional(z.literal(true)), undefined) }),
  staticData: { access: 'reader' },
  component: lazyRouteComponent(() => import('./CoursePage.tsx'), 'CoursePage'),
});
