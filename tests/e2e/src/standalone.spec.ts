import { describe } from 'vitest';
import { startStandaloneSystem } from '@registrar/standalone/testing';
import { findChromium, highRequestLimits } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { frequentCrawls, describeSystem } from './describe-system.ts';
import { describeCourseConfiguration } from './course-configuration.ts';
import { describeClientPackage } from './client-package.ts';
import { describeFormatAgreement } from './format-agreement.ts';
import { describeGeneratedClients } from './generated-clients.ts';
import { describePerlClient } from './perl-client.ts';
import { describeMistakes } from './mistakes.ts';
import { describeOpenApi } from './open-api.ts';
import { describeResultsAtOnce } from './results-at-once.ts';
import { describeProviderFaults } from './provider-faults.ts';
import { useSystem } from './use-system.ts';

describe('the standalone system', () => {
  const running = useSystem(() =>
    startStandaloneSystem({ ...frequentCrawls, ...highRequestLimits }),
  );
  describeSystem(running);
  describeProviderFaults(running);
  // Formats and the OpenAPI document are the gateway's alone, and the same in both forms.
  describeFormatAgreement(running);
  describeOpenApi(running);
  describeMistakes(running);
  describeCourseConfiguration(running);
  describeGeneratedClients(running);
  describePerlClient(running);
  describeClientPackage(running);
  describeWith(findChromium(), 'in a browser', (executablePath) => {
    describeResultsAtOnce(running, executablePath);
  });
});
