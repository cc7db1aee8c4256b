import { startStandaloneSystem } from '@registrar/standalone/testing';
import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { describeApiReference } from './api-reference.ts';
import { useSystem } from './use-system.ts';

// Its examples name items of a fresh system.
describeWith(findChromium(), 'the API reference', (chromium) => {
  describeApiReference(
    useSystem(() => startStandaloneSystem()),
    chromium,
  );
});
