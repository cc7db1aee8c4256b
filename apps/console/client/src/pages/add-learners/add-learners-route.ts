import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { realmRoute } from '../../shell/shell-routes.ts';

export const addLearnersRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'invitations/$invitation/add-learners',
  staticData: { access: 'administrator' },
  component: lazyRouteComponent(() => import('./AddLearnersPage.tsx'), 'AddLearnersPage'),
});
