import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The suites that take longest, ordered so that a suite that waits runs beside one that computes.
 * Vitest has durations only on a machine that has run the suites before.
 */
const longest = [
  'tests/e2e/src/standalone',
  'tests/model-based/src/crashes/crash-flow',
  'apps/provider/src/player/player.browser',
  'tests/console/src/operator-pages',
  'tests/console/src/realm-pages',
  'tests/e2e/src/standalone-lifecycle',
  'tests/e2e/src/least-privilege',
  'tests/e2e/src/observability',
  'libs/bus/src/rabbitmq/broker-cluster',
  'tests/e2e/src/distributed',
  'tests/e2e/src/documentation',
  'apps/catalog/src/courses/create-course',
  'apps/crawler/src/crawls/crawl-loop',
  'tests/e2e/src/schema-tasks',
  'tests/e2e/src/expired-crawl-lease',
  'apps/enrolment/src/invitations/add-learners-at-scale',
  'k8s/checks/policies',
];

/** Returns the rank of a suite; suites outside of {@link longest} come last. */
const placeOf = (path: string): number => {
  const place = longest.findIndex((name) => path.endsWith(`/${name}.spec.ts`));
  return place === -1 ? longest.length : place;
};

/** Vitest sequencer that starts the longest suites first, so that no worker is left alone with one. */
export default class SuiteOrder extends BaseSequencer {
  override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(suites);
    return sorted.toSorted((one, other) => placeOf(one.moduleId) - placeOf(other.moduleId));
  }
}
