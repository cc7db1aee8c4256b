import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

export const courseRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'courses/$course',
  validateSearch: z.object({
    /** Whether the settings are read from the provider. */
    settings: z.catch(z.optional(z.literal(true)), undefined),
    /** Whether the use is shown as a table. */
    use: z.catch(z.optional(z.literal('table')), undefined),
    /** Whether the versions are read from the provider. */
    versions: z.catch(z.optional(z.literal(true)), undefined),
  }),
  staticData: { access: 'reader' },
  component: lazyRouteComponent(() => import('./CoursePage.tsx'), 'CoursePage'),
});
