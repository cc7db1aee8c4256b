/** The code that keeps tenants apart: what Stryker mutates. */
export const guards = [
  'apps/{catalog,enrolment,identity,provider}/src/access-rules.ts',
  'libs/contracts/src/{access,access-requirements,compatibility}.ts',
  'libs/bus/src/caller.guard.ts',
  'apps/identity/src/access/{resolve-access,secrets}.ts',
  'apps/gateway/src/access/{access-mode,access-resolver,forget-changed-access}.ts',
  'apps/gateway/src/operations/operation.ts',
  'apps/gateway/src/response-cache/{response-cache,versioned-cache,catalog-versions,course-lists}.ts',
  'apps/enrolment/src/queries/{check-query,query-sandbox}.ts',
];

/** The suites that a change of this code must fail, cheapest first: the first test that fails ends a run. */
export const suites = [
  'libs/contracts/src/{access,access-requirements}.spec.ts',
  'apps/identity/src/access/secrets.spec.ts',
  'apps/{catalog,enrolment,identity}/src/access-rules.spec.ts',
  'libs/bus/src/caller.guard.spec.ts',
  'apps/gateway/src/access/{access-mode,access-resolver}.spec.ts',
  'apps/gateway/src/operations/operation.spec.ts',
  'apps/gateway/src/response-cache/{versioned-cache,places}.spec.ts',
  'apps/enrolment/src/queries/{query-sandbox,check-query}.spec.ts',
  'apps/identity/src/access/{resolve-access,find-realm-scope}.spec.ts',
  'apps/identity/src/realms/manage-realms.spec.ts',
  'apps/identity/src/provider-applications/create-provider-application.spec.ts',
  'apps/provider/src/access-rules.spec.ts',
  'apps/gateway/src/access/access.spec.ts',
  'apps/gateway/src/response-cache/response-cache.spec.ts',
  'apps/gateway/src/operations/permissions.spec.ts',
  'apps/enrolment/src/queries/{report-views,run-query}.spec.ts',
];
