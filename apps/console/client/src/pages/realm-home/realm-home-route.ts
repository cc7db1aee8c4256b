import { createRoute, redirect } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import { maySee, sessionQuery } from '../../api/session.ts';
import { realmEntries } from '../../shell/navigation.ts';
import { NoAccess } from '../../shell/NoAccess.tsx';
import { realmRoute } from '../../shell/shell-routes.ts';

/** The address of a realm itself: it leads to the first of its pages that the user may see. */
export const realmHomeRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: '/',
  component: NoAccess,
  beforeLoad: async ({ params: { realm } }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    const first = realmEntries.find(({ access }) => maySee(session, access, realm));
    if (first) redirect({ to: first.to.replace('$realm', realm), replace: true, throw: true });
  },
});
