import { type Rule, ruleOf } from './contract.ts';

/** A rule, or a part of it, that a client of one installation cannot check. */
export interface CoveredElsewhere {
  readonly rule: Rule;
  /** What the other suites check. */
  readonly what: string;
  /** Their files, relative to the repository's root. */
  readonly suites: readonly string[];
}

/** The rules of realms that serve the clients of Bright, which is a setting of the operator. */
const compatibilityRules = [
  'setting',
  'format-js',
  'two-modes',
  'gcustom-without-key',
  'gcustom-creates-user',
  'invitation-lists',
  'checked-later',
  'key-expiry',
  'token-length',
  'course-index',
  'no-registrations',
  'success-passed',
  'dont-duplicate',
  'last-only',
  'launch-redirect',
  'member-message',
  'own-realm-user',
  'own-invitations',
  'user-licenses',
];

/** What a client of one installation cannot check, and the suites that do. */
export const coveredElsewhere: readonly CoveredElsewhere[] = [
  {
    rule: 'contract/formats#api-root',
    what: 'another API root: a run sees one installation',
    suites: ['apps/gateway/src/http/settings.spec.ts'],
  },
  {
    rule: 'contract/formats#jsonp-secrets',
    what: 'the warning in the server’s log',
    suites: ['apps/gateway/src/responses/formats.spec.ts'],
  },
  {
    rule: 'contract/parameters#page-size',
    what: 'records that are too long for a page, and pages of invitations',
    suites: ['libs/persistence/src/keyset-page.spec.ts', 'apps/gateway/src/lists/lists.spec.ts'],
  },
  {
    rule: 'contract/parameters#count-time',
    what: 'lists that take too long to count',
    suites: [
      'libs/persistence/src/patterns/pattern-query.spec.ts',
      'apps/gateway/src/lists/lists.spec.ts',
    ],
  },
  {
    rule: 'contract/registrations#launch-end',
    what: 'what a learner does in a browser, and 24 hours',
    suites: [
      'apps/enrolment/src/registrations/recrawl-registrations.spec.ts',
      'apps/provider/src/launches/play.controller.spec.ts',
    ],
  },
  {
    rule: 'contract/registrations#inactive-launches',
    what: 'an open window, and the provider, which acts later',
    suites: [
      'apps/enrolment/src/registrations/end-launches.spec.ts',
      'apps/provider/src/launches/launch.controller.spec.ts',
    ],
  },
  {
    rule: 'contract/registrations#launch-origin',
    what: 'what a course can reach in a browser',
    suites: [
      'apps/provider/src/player/hostile-course.fixture.ts',
      'apps/provider/src/launches/launch.controller.spec.ts',
    ],
  },
  {
    rule: 'contract/stored-queries#run-kept',
    what: 'a realm with more results than it may keep: a run stays within them',
    suites: ['apps/enrolment/src/queries/run-query.spec.ts'],
  },
  {
    rule: 'contract/errors#internal-errors',
    what: 'a defect, which no request causes',
    suites: ['apps/gateway/src/http/error-responder.spec.ts'],
  },
  {
    rule: 'contract/errors#problem-exceptions',
    what: 'input that fetch does not send',
    suites: ['apps/gateway/src/http/malformed-requests.spec.ts'],
  },
  {
    rule: 'contract/errors#rate-limits',
    what: 'a client beyond its limits: a run stays within them',
    suites: ['apps/gateway/src/admission/limits.spec.ts'],
  },
  {
    rule: 'contract/errors#freshness',
    what: 'several gateways and replicas of the catalog: a run sees one address',
    suites: [
      'apps/gateway/src/response-cache/response-cache.spec.ts',
      'tests/model-based/src/read-your-writes.spec.ts',
    ],
  },
  {
    rule: 'contract/access#cors-allow-list',
    what: 'the allow-list of origins is a setting of the installation',
    suites: ['apps/gateway/src/http/settings.spec.ts'],
  },
  {
    rule: 'contract/access#realm-isolation',
    what: 'a run has one realm',
    suites: ['tests/e2e/src/access-matrix.ts', 'apps/identity/src/access-rules.spec.ts'],
  },
  {
    rule: 'contract/registrations#embed-exit',
    what: 'the end of a course in a frame: a run has no browser',
    suites: ['tests/e2e/src/learner-journey.ts'],
  },
  {
    rule: 'contract/access#cause-of-401',
    what: 'the cause in the server’s log',
    suites: ['apps/gateway/src/access/access.spec.ts'],
  },
  {
    rule: 'contract/access#disabled-realm',
    what: 'operators have no HTTP API to disable a realm',
    suites: [
      'apps/identity/src/realms/manage-realms.spec.ts',
      'apps/enrolment/src/registrations/end-launches.spec.ts',
      'apps/gateway/src/access/access.spec.ts',
      'apps/provider/src/launches/launch.controller.spec.ts',
    ],
  },
  {
    rule: 'contract/access#replaced-secret',
    what: 'operators have no HTTP API to replace a secret key',
    suites: ['apps/identity/src/realms/manage-realms.spec.ts'],
  },
  {
    rule: 'contract/access#keys-in-browsers',
    what: 'clients keep secrets out of browsers; the service only withholds its CORS header',
    suites: ['apps/gateway/src/access/access.spec.ts'],
  },
  {
    rule: 'contract/access#unbound-keys-in-browsers',
    what: 'the warning in the server’s log',
    suites: ['apps/gateway/src/access/access.spec.ts'],
  },
  {
    rule: 'contract/errors#cause-in-log',
    what: 'the cause in the server’s log',
    suites: ['apps/gateway/src/http/error-responder.spec.ts'],
  },
  {
    rule: 'contract/errors#status-400',
    what: 'input that is not HTTP: a case sends requests',
    suites: ['apps/gateway/src/http/malformed-requests.spec.ts'],
  },
  {
    rule: 'contract/errors#status-408',
    what: 'requests that are sent slowly, for half a minute',
    suites: ['apps/gateway/src/admission/stalled-bodies.spec.ts'],
  },
  {
    rule: 'contract/errors#slow-readers',
    what: 'long responses that are read slowly, for half a minute',
    suites: ['apps/gateway/src/admission/stalled-bodies.spec.ts'],
  },
  {
    rule: 'contract/errors#status-503',
    what: 'a dependency that is unavailable',
    suites: [
      'apps/gateway/src/http/error-responder.spec.ts',
      'tests/e2e/src/unavailable-provider.ts',
    ],
  },
  {
    rule: 'contract/errors#status-504',
    what: 'a dependency that is slow',
    suites: ['apps/gateway/src/http/error-responder.spec.ts'],
  },
  {
    rule: 'contract/errors#idempotency-errors',
    what: 'repetitions after 503 and 504',
    suites: ['apps/enrolment/src/registrations/create-registration.spec.ts'],
  },
  {
    rule: 'contract/parameters#expression-time',
    what: 'the time limit of an expression needs many rows',
    suites: ['libs/persistence/src/patterns/pattern-query.spec.ts'],
  },
  {
    rule: 'contract/parameters#expression-budget',
    what: 'realms that take turns: a run has one realm',
    suites: [
      'libs/persistence/src/patterns/pattern-query.spec.ts',
      'libs/platform/src/fair-queue.spec.ts',
      'libs/platform/src/token-buckets.spec.ts',
    ],
  },
  {
    rule: 'contract/parameters#long-texts',
    what: 'texts that are longer than any request may be',
    suites: [
      'apps/enrolment/src/registrations/index-registrations.spec.ts',
      'libs/persistence/src/keyset-page.spec.ts',
    ],
  },
  {
    rule: 'contract/invitations#record-limit',
    what: '50,000 learners',
    suites: ['apps/enrolment/src/invitations/index-invitations.spec.ts'],
  },
  {
    rule: 'contract/registrations#provider-errors',
    what: 'launches and crawls beside a course provider that is unavailable or rejects the secret',
    suites: [
      'tests/e2e/src/provider-faults.ts',
      'apps/crawler/src/crawls/crawl-on-demand.spec.ts',
      'apps/enrolment/src/registrations/launch-registration.spec.ts',
      'apps/enrolment/src/registrations/recrawl-registrations.spec.ts',
    ],
  },
  {
    rule: 'contract/registrations#provider-outages',
    what: 'crawls in the background beside a course provider that is unavailable',
    suites: ['apps/crawler/src/crawls/crawl-due-registrations.spec.ts'],
  },
  {
    rule: 'contract/registrations#provider-success',
    what: 'a course provider that is unavailable and then responds',
    suites: [
      'tests/e2e/src/provider-faults.ts',
      'apps/enrolment/src/registrations/recrawl-registrations.spec.ts',
    ],
  },
  {
    rule: 'contract/invitations#repeated-creates',
    what: 'credentials that are replaced, and many registrations that are refused',
    suites: ['apps/enrolment/src/invitations/provision-registrations.spec.ts'],
  },
  {
    rule: 'contract/registrations#create-limit',
    what: 'the limit is a setting of the installation, and a run would use it up',
    suites: ['apps/enrolment/src/registrations/create-registration.spec.ts'],
  },
  {
    rule: 'contract/stored-queries#run-limits',
    what: 'large results need a query of an operator',
    suites: ['apps/enrolment/src/queries/run-query.spec.ts'],
  },
  {
    rule: 'contract/realm-users#own-users',
    what: 'a run has one realm',
    suites: ['apps/identity/src/users/ensure-user.spec.ts'],
  },
  {
    rule: 'contract/api-keys#expiry',
    what: 'an expired key returns 401: a case checks expires_at only',
    suites: ['apps/identity/src/access/resolve-access.spec.ts'],
  },
  {
    rule: 'contract/api-keys#shown-once',
    what: 'the stored hash',
    suites: ['apps/identity/src/access/secrets.spec.ts'],
  },
  {
    rule: 'contract/courses#create-404',
    what: 'several provider applications: the realm of a run has one',
    suites: ['apps/catalog/src/access-rules.spec.ts'],
  },
  {
    rule: 'contract/registrations#create-application',
    what: 'several provider applications: the realm of a run has one',
    suites: ['apps/catalog/src/courses/index-courses.spec.ts'],
  },
  {
    rule: 'contract/registrations#create-403-codes',
    what: 'the maximum number of registrations of a provider account',
    suites: ['libs/course-provider/src/http-course-provider.spec.ts'],
  },
  {
    rule: 'contract/registrations#redirect-url',
    what: 'the redirect needs a browser that plays the course',
    suites: ['tests/e2e/src/learner-journey.ts'],
  },
  {
    rule: 'contract/registrations#launch-expiry',
    what: 'the expiry of the URL at the course provider',
    suites: ['apps/provider/src/launches/launch.controller.spec.ts'],
  },
  {
    rule: 'contract/registrations#record-full-result',
    what: 'the mode full of the crawler',
    suites: ['apps/enrolment/src/registrations/apply-crawl.spec.ts'],
  },
  {
    rule: 'contract/registrations#record-last-crawled-at',
    what: 'the crawls that the crawler makes by itself, within hours',
    suites: ['apps/crawler/src/crawls/crawl-loop.spec.ts'],
  },
  {
    rule: 'contract/registrations#record-score',
    what: 'results of a learner who plays the course',
    suites: ['tests/e2e/src/learner-journey.ts'],
  },
  {
    rule: 'contract/registrations#late-results',
    what: 'a course provider that shows results late, and does not tell whether a course is open',
    suites: ['apps/enrolment/src/registrations/recrawl-registrations.spec.ts'],
  },
  {
    rule: 'contract/registrations#recrawl-late',
    what: 'a slow course provider',
    suites: ['apps/enrolment/src/registrations/recrawl-registrations.spec.ts'],
  },
  {
    rule: 'contract/stored-queries#read-only',
    what: 'which statements an operator can store',
    suites: ['apps/enrolment/src/queries/check-query.spec.ts'],
  },
  {
    rule: 'contract/stored-queries#own-queries',
    what: 'operators have no HTTP API',
    suites: ['apps/enrolment/src/queries/manage-stored-queries.spec.ts'],
  },
  {
    rule: 'contract/stored-queries#delete-route',
    what: 'operators have no HTTP API to store a query',
    suites: [
      'apps/enrolment/src/queries/manage-stored-queries.spec.ts',
      'tests/e2e/src/access-matrix.ts',
    ],
  },
  {
    rule: 'contract/stored-queries#delete-course-provider-id',
    what: 'several provider applications: the realm of a run has one',
    suites: ['apps/enrolment/src/queries/manage-stored-queries.spec.ts'],
  },
  {
    rule: 'contract/courses#delete-503',
    what: 'a course provider that is unavailable',
    suites: ['apps/catalog/src/courses/delete-course.spec.ts'],
  },
  {
    rule: 'contract/registrations#launch-503',
    what: 'a course provider that refuses a launch',
    suites: [
      'tests/e2e/src/provider-faults.ts',
      'apps/enrolment/src/registrations/launch-registration.spec.ts',
    ],
  },
  {
    rule: 'contract/registrations#delete-503',
    what: 'a course provider that is unavailable',
    suites: ['apps/enrolment/src/registrations/delete-registration.spec.ts'],
  },
  {
    rule: 'contract/access#guessing',
    what: 'a client with many wrong credentials would slow down the other cases',
    suites: ['apps/gateway/src/admission/guessing.spec.ts'],
  },
  ...compatibilityRules.map((anchor) => ({
    rule: ruleOf('compatibility', anchor),
    what: 'operators have no HTTP API to change the settings of a realm',
    suites: [
      'tests/e2e/src/existing-clients/compatibility.ts',
      'tests/e2e/src/existing-clients/wordpress-visit.ts',
      'apps/identity/src/realms/manage-realms.spec.ts',
    ],
  })),
];
