import { afterAll, beforeAll, describe } from '@jest/globals';
import {
  brokerForTests,
  chromiumForTests,
  type RunningSystem,
  startDistributedSystem,
  startStandaloneSystem,
} from '#libs/testing';
import { describeAbsentProvider } from './absent-provider.ts';
import { describeAccessMatrix } from './access-matrix.ts';
import { describeConformance } from './conformance.ts';
import { describeFormatAgreement } from './format-agreement.ts';
import { describeLongLists } from './long-lists.ts';
import { describeMainJob } from './main-job.ts';
import { describeManyLearners } from './many-learners.ts';
import { describeOpenApi } from './open-api.ts';
import { describeProviderRefusals } from './open-api-provider.ts';
import { describeStatuses } from './statuses.ts';

const broker = await brokerForTests();
const chromium = chromiumForTests();
const settings = { CRAWL_INTERVAL_SECONDS: '1' };

function describeSystem(form: string, start: () => Promise<RunningSystem>, more?: Describe): void {
  describe(`the ${form} system`, () => {
    let system: RunningSystem;
    beforeAll(async () => {
      system = await start();
    }, 60_000);
    afterAll(() => system.dispose());

    const running = () => system;
    if (chromium) describeMainJob(running, chromium);
    describeStatuses(running);
    describeConformance(running);
    describeFormatAgreement(running);
    describeOpenApi(running);
    more?.(running);
  });
}
type Describe = (running: () => RunningSystem) => void;

describeSystem('standalone', () => startStandaloneSystem(settings));
if (broker) {
  describeSystem(
    'distributed',
    () => startDistributedSystem(broker, settings),
    (running) => {
      describeAccessMatrix(running);
      describeManyLearners(running);
      describeProviderRefusals(running);
      describeAbsentProvider(running);
      describeLongLists(running);
    },
  );
}
