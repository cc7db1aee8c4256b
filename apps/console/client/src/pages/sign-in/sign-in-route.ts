import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { rootRoute } from '../../shell/shell-routes.ts';

const problem = z.enum(['expired', 'no-provider', 'no-role', 'refused', 'unavailable']);

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: z.object({
    /** The path inside the console to return to. */
    return: z.catch(z.optional(z.string().check(z.regex(/^\/(?![/\\])/))), undefined),
    /** Why a sign-in failed. */
    problem: z.catch(z.optional(problem), undefined),
    /** Id of the request that failed. */
    request: z.catch(z.optional(z.string()), undefined),
  }),
  component: lazyRouteComponent(() => import('./SignInPage.tsx'), 'SignInPage'),
});
