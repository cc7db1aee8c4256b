import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { shellRoute } from '../../shell/shell-routes.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/overview',
  validateSearch: z.object({
    /** The time that the sparklines show; an hour by default. */
    span: z.catch(z.optional(z.enum(['day'])), undefined),
  }),
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./OverviewPage.tsx'), 'OverviewPage'),
});
