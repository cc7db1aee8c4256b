import { afterAll, beforeAll } from 'vitest';
import { both, findBrokerInstallation, findPrograms } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import {
  type DedicatedInstallation,
  startDedicatedInstallation,
} from './dedicated-installation.ts';
import { frequentCrawls } from './describe-system.ts';
import { describeDoctor } from './doctor.ts';
import { describeOperatorsPages } from './operators-pages.ts';
import { describeProbe } from './probe.ts';

// Most tests start a process, which is slow while other suites share the processor.
const services = both(findBrokerInstallation(), findPrograms('openssl'));

/** What an operator does with an installation: the commands of the pages as printed, and every fault that the doctor finds. */
describeWith(services, 'the operation of a distributed system', () => {
  let installation: DedicatedInstallation;
  beforeAll(async () => {
    installation = await startDedicatedInstallation({ ...frequentCrawls, MANAGEMENT_PORT: '0' });
  });
  afterAll(() => installation?.dispose());

  describeOperatorsPages(() => installation);
  describeDoctor(() => installation);
  describeProbe(() => installation);
});
