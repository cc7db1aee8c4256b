/** Calls of SCORM Cloud's API that this provider does not have. `*` stands for the rest of a path. */
export interface RefusedCall {
  readonly method: 'all' | 'POST' | 'DELETE';
  /** Below `api/v2/`. */
  readonly paths: readonly string[];
  readonly reason: string;
}

const ownFiles = ['courses/:id/asset', 'courses/:id/versions/:version/asset'];
const filesDoNotChange = 'The files of a course version do not change: import a new version.';
const statements = ['xAPIStatements', 'versions/:version/xAPIStatements'];

/** What is refused, and why: clients get the reason, and docs/provider-calls.md lists it. */
export const refusedCalls: readonly RefusedCall[] = [
  {
    method: 'all',
    paths: ['dispatch/*'],
    reason: 'Dispatches are not supported: courses are played by this provider alone.',
  },
  {
    method: 'all',
    paths: ['contentConnectors', 'contentConnectors/*'],
    reason: 'Content connectors are not supported: upload packages, or have them fetched by URL.',
  },
  {
    method: 'all',
    paths: [
      'xapi/*',
      ...statements.map((path) => `courses/:id/${path}`),
      'registrations/:id/xAPIStatements',
      'registrations/:id/instances/:instance/xAPIStatements',
    ],
    reason: 'xAPI is not supported: this provider plays SCORM courses and has no statements.',
  },
  {
    method: 'all',
    paths: ['zoomi', 'zoomi/*'],
    reason: 'Zoomi is a service of another company, and is not supported.',
  },
  {
    method: 'all',
    paths: ['invitations', 'invitations/*'],
    reason: 'Invitations are not supported here: Registrar has its own.',
  },
  {
    method: 'all',
    paths: ['reporting/*'],
    reason: 'Reportage is not supported: Registrar has stored queries.',
  },
  {
    method: 'all',
    paths: [
      'appManagement/applications',
      'appManagement/applications/:id',
      'appManagement/applicationList',
      'appManagement/:id/credentials',
      'appManagement/:id/credentials/:credential',
    ],
    reason: 'Applications and their keys are managed by the operator, with the command registrar.',
  },
  {
    method: 'POST',
    paths: ['appManagement/token'],
    reason: 'Access tokens are issued by oauth/authenticate/application/token.',
  },
  {
    method: 'POST',
    paths: ownFiles.flatMap((path) => [path, `${path}/upload`]),
    reason: filesDoNotChange,
  },
  { method: 'DELETE', paths: ownFiles, reason: filesDoNotChange },
];
