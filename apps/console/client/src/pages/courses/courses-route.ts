import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

const text = (longest: number) =>
  z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(longest))), undefined);

export const coursesRoute = createRoute({
  getParentRoute: () => realmRoute,
  path: 'courses',
  validateSearch: z.object({
    title: text(100),
    course: text(255),
    cursor: z.catch(z.optional(z.string()), undefined),
  }),
  staticData: { access: 'reader' },
  component: lazyRouteComponent(() => import('./CoursesPage.tsx'), 'CoursesPage'),
});
