import { createRouter } from '@tanstack/react-router';
import { onSignedOut, queryClient } from './api/query-client.ts';
import { PageFailure } from './shell/PageFailure.tsx';
import { PageLoading } from './shell/PageLoading.tsx';
import { addLearnersRoute } from './pages/add-learners/add-learners-route.ts';
import {
  allAuditRoute,
  apiKeysRoute,
  auditRoute,
  realmsRoute,
} from './pages/access/access-routes.ts';
import { courseRoute } from './pages/course/course-route.ts';
import { coursesRoute } from './pages/courses/courses-route.ts';
import { homeRoute } from './pages/home/home-route.ts';
import { invitationRoute } from './pages/invitation/invitation-route.ts';
import { invitationsRoute } from './pages/invitations/invitations-route.ts';
import { overviewRoute } from './pages/overview/overview-route.ts';
import { parkedEventsRoute } from './pages/parked-events/parked-events-route.ts';
import { registrationRoute } from './pages/registration/registration-route.ts';
import { registrationsRoute } from './pages/registrations/registrations-route.ts';
import {
  allApplicationsRoute,
  applicationRoute,
  applicationsRoute,
} from './pages/provider-applications/provider-applications-routes.ts';
import {
  editReportRoute,
  newReportRoute,
  reportRoute,
  reportsRoute,
} from './pages/reports/reports-routes.ts';
import { uploadCourseRoute } from './pages/upload-course/upload-course-route.ts';
import { realmHomeRoute } from './pages/realm-home/realm-home-route.ts';
import { signInRoute } from './pages/sign-in/sign-in-route.ts';
import { realmRoute, rootRoute, shellRoute } from './shell/shell-routes.ts';

/** The pages of the installation: one line each, sorted. */
const installationPages = [
  allApplicationsRoute,
  allAuditRoute,
  homeRoute,
  overviewRoute,
  parkedEventsRoute,
  realmsRoute,
] as const;

/** The pages of a realm: one line each, sorted. */
const realmPages = [
  addLearnersRoute,
  apiKeysRoute,
  applicationRoute,
  applicationsRoute,
  auditRoute,
  courseRoute,
  coursesRoute,
  editReportRoute,
  invitationRoute,
  invitationsRoute,
  newReportRoute,
  realmHomeRoute,
  registrationRoute,
  registrationsRoute,
  reportRoute,
  reportsRoute,
  uploadCourseRoute,
] as const;

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    shellRoute.addChildren([...installationPages, realmRoute.addChildren(realmPages)]),
  ]),
  basepath: new URL(document.baseURI).pathname,
  defaultErrorComponent: PageFailure,
  defaultPendingComponent: PageLoading,
  defaultPendingMs: 300,
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

// Whoever hears the page changes instead of seeing it begins at its heading.
router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) document.querySelector('h1')?.focus();
});

onSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/sign-in') return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { return: href } });
});
