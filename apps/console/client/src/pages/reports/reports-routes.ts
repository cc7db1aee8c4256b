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

/** Which of several reports of the same name. */
const owner = {
  scope: z.catch(z.enum(['bright', 'realm', 'provider']), 'bright'),
  /** The provider application of the scope `provider`. */
  application: z.catch(z.optional(z.int()), undefined),
};

export const reportRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'reports/$report',
  validateSearch: z.object({
    ...owner,
    /** The parameters of the run that is shown; none before the first. */
    run: z.catch(z.optional(z.record(z.string(), z.string())), undefined),
    view: z.catch(z.optional(z.literal('chart')), undefined),
    /** The columns of the chart; the first that fit if there is none. */
    x: z.catch(z.optional(z.string()), undefined),
    y: z.catch(z.optional(z.array(z.string())), undefined),
  }),
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./ReportPage.tsx'), 'ReportPage'),
});

export const newReportRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'new-report',
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./NewReportPage.tsx'), 'NewReportPage'),
});

export const editReportRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'reports/$report/edit',
  validateSearch: z.object(owner),
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./EditReportPage.tsx'), 'EditReportPage'),
});
