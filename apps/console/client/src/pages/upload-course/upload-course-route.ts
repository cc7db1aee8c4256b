import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { realmRoute } from '../../shell/shell-routes.ts';

export const uploadCourseRoute = createRoute({
  getParentRoute: () => realmRoute,
  // Beside `courses/$course`: a course may have any GUID.
  path: 'upload-course',
  /** The course that gets a new version; none for a new course. */
  validateSearch: z.object({
    course: z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(255))), undefined),
  }),
  staticData: { access: 'author' },
  component: lazyRouteComponent(() => import('./UploadCoursePage.tsx'), 'UploadCoursePage'),
});
