/** The code that keeps tenants apart: what Stryker mutates. */
export const guards = [
  'apps/{catalog,enrolment,identity,provider}/src/access-rules.ts',
  'libs/contracts/src/{access,access-requirements}.ts',
  'libs/bus/src/caller.guard.ts',
  'apps/identity/src/access/{resolve-access,secrets}.ts',
  'apps/gateway/src/access/{access-mode,access-resolver,forget-changed-access}.ts',
  'apps/gateway/src/operations/operation.ts',
  'apps/gateway/src/response-cache/{response-cache,versioned-cache,catalog-versions,course-lists}.ts',
  'apps/enrolment/src/queries/{check-query,query-sandbox}.ts',
];

/** The suites that a change of this code must fail. */
export const suites = [
  'apps/{catalog,enrolment,identity,provider}/src/access-rules.spec.ts',
  'libs/bus/src/caller.guard.spec.ts',
  'apps/identity/src/access/*.spec.ts',
  'apps/identity/src/realms/manage-realms.spec.ts',
  'apps/identity/src/provider-applications/create-provider-application.spec.ts',
  'apps/gateway/src/access/*.spec.ts',
  'apps/gateway/src/operations/permissions.spec.ts',
  'apps/gateway/src/response-cache/*.spec.ts',
  'apps/enrolment/src/queries/{check-query,report-views,run-query}.spec.ts',
];
