import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute, shellRoute } from '../../shell/shell-routes.ts';

const cursorSearch = z.object({ cursor: z.catch(z.optional(z.string()), undefined) });

/** The provider applications of all realms. */
export const allApplicationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/provider-applications',
  validateSearch: cursorSearch,
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./AllApplicationsPage.tsx'), 'AllApplicationsPage'),
});

/** The provider applications of a realm. */
export const applicationsRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: '/provider-applications',
  validateSearch: cursorSearch,
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./ApplicationsPage.tsx'), 'ApplicationsPage'),
});

/** One provider application. */
export const applicationRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: '/provider-applications/$application',
  params: {
    parse: ({ application }) => ({
      application: z.coerce.number().check(z.int()).parse(application),
    }),
    stringify: ({ application }) => ({ application: String(application) }),
  },
  /** The place in the history. */
  validateSearch: cursorSearch,
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./ApplicationPage.tsx'), 'ApplicationPage'),
});
