import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

export const reportsRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'reports',
  validateSearch: z.object({ cursor: z.catch(z.optional(z.string()), undefined) }),
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./ReportsPage.tsx'), 'ReportsPage'),
});

const reportScopes = ['bright', 'realm', 'provider'] as const;

export const reportRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'reports/$report',
  validateSearch: z.object({
    scope: z.catch(z.enum(reportScopes), 'bright'),
    /** The parameters of the run that is shown; none before the first. */
    run: z.catch(z.optional(z.record(z.string(), z.string())), undefined),
  }),
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./ReportPage.tsx'), 'ReportPage'),
});
