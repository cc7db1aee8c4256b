import { createRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { sessionQuery } from '../../api/session.ts';
import { NoAccess } from '../../shell/NoAccess.tsx';
import { shellRoute } from '../../shell/shell-routes.ts';

/** The address of the console itself: it leads operators to the overview, and everybody else to a realm. */
export const homeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: NoAccess,
  beforeLoad: async () => {
    const { roles, realms } = await queryClient.ensureQueryData(sessionQuery);
    if (roles.operator) redirect({ to: '/overview', replace: true, throw: true });
    const [first] = realms;
    if (first)
      redirect({ to: '/realms/$realm', params: { realm: first.guid }, replace: true, throw: true });
  },
});
