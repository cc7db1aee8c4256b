import { createRootRoute, createRoute, redirect } from '@tanstack/react-router';
import { CallError } from '../api/call.ts';
import { queryClient } from '../api/query-client.ts';
import { type PageAccess, sessionQuery } from '../api/session.ts';
import { NotFound } from './NotFound.tsx';
import { Shell } from './Shell.tsx';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Who may see the page; everybody where a route does not say. */
    readonly access?: PageAccess;
  }
}

export const rootRoute = createRootRoute({ notFoundComponent: NotFound });

/** The frame of all pages for which one signs in. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!(error instanceof CallError) || error.code !== 'signed-out') throw error;
      redirect({ to: '/sign-in', search: { return: location.href }, throw: true });
    }
  },
});

/** The frame of the pages of a realm. */
export const realmRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/realms/$realm',
});
