import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { realmRoute } from '../../shell/shell-routes.ts';

export const registrationRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'registrations/$registration',
  staticData: { access: 'reader' },
  component: lazyRouteComponent(() => import('./RegistrationPage.tsx'), 'RegistrationPage'),
});
