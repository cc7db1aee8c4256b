import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/shell-routes.ts';

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/overview',
  staticData: { access: 'operator' },
  component: lazyRouteComponent(() => import('./OverviewPage.tsx'), 'OverviewPage'),
});
