import { createRequire } from 'node:module';
import type sequencer from '@jest/test-sequencer';

// Its types describe what `require` gives; `import` gives the class itself.
const { default: TestSequencer } = createRequire(import.meta.url)(
  '@jest/test-sequencer',
) as typeof sequencer;

type Suites = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

/**
 * The suites that take longest, each with one that mostly waits beside one that mostly computes.
 * Jest knows by itself only on a machine where it has run them before.
 */
const longest = [
  'e2e/distributed-reach',
  'e2e/monitoring',
  'models/crashes/crash-flow',
  'e2e/distributed',
  'e2e/standalone',
  'e2e/least-privilege',
  'apps/provider/src/player/player',
  'e2e/doctor',
  'e2e/observability',
  'apps/crawler/src/crawls/crawl-loop',
  'e2e/frozen-crawler',
  'e2e/schema-tasks',
];

/** How early a suite starts; the others come after all of {@link longest}. */
const placeOf = (path: string): number => {
  const place = longest.findIndex((name) => path.endsWith(`/${name}.spec.ts`));
  return place === -1 ? longest.length : place;
};

/** The order of a run: what takes long starts first, so that no worker is left alone with it. */
export default class SuiteOrder extends TestSequencer {
  override async sort(suites: Suites): Promise<Suites> {
    const sorted = await super.sort(suites);
    return sorted.toSorted((one, other) => placeOf(one.path) - placeOf(other.path));
  }
}
