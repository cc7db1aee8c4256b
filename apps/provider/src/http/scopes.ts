import * as z from 'zod';

/** What an access token may be limited to. */
const verbs = ['read', 'write', 'delete'] as const;
export type Verb = (typeof verbs)[number];

/** What the paths of the API belong to, as scopes name it. */
const resources = ['about', 'appmgmt', 'course', 'learner', 'ping', 'registration'] as const;
export type ScopeResource = (typeof resources)[number];

/** A scope of SCORM Cloud: everything, a verb for all resources, or for one. */
export type Scope = 'admin' | Verb | `${Verb}:${ScopeResource}`;

const scopes: ReadonlySet<string> = new Set<Scope>([
  'admin',
  ...verbs,
  ...verbs.flatMap((verb) => resources.map((resource) => `${verb}:${resource}` as const)),
]);

export const scope = z.custom<Scope>((given) => typeof given === 'string' && scopes.has(given), {
  error: ({ input }) =>
    `${String(input).slice(0, 40)} is not a scope of this provider: ` +
    `expected admin, ${verbs.join(', ')}, or one of these with a colon and ${resources.join(', ')}`,
});

/** Whether one of the scopes grants a verb for a resource. */
export const grants = (granted: readonly Scope[], verb: Verb, resource: ScopeResource): boolean =>
  granted.some((each) => each === 'admin' || each === verb || each === `${verb}:${resource}`);

/** The resources of the first segments of paths; no scope grants access to other paths. */
const resourceOfSegment: Readonly<Record<string, ScopeResource>> = {
  about: 'about',
  appManagement: 'appmgmt',
  courses: 'course',
  learner: 'learner',
  ping: 'ping',
  registrations: 'registration',
};

/** The resource of a path below `api/v2/`; null for a path that needs the secret key. */
export const resourceOf = (path: string): ScopeResource | null =>
  resourceOfSegment[path.split('/', 1)[0] ?? ''] ?? null;

/** The verb of a method of HTTP, if the route does not name another. */
export function verbOf(method: string): Verb {
  if (method === 'GET' || method === 'HEAD') return 'read';
  return method === 'DELETE' ? 'delete' : 'write';
}
