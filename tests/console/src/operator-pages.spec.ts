import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { describe } from 'vitest';
import { describeAccess } from './access.ts';
import { useConsole } from './console-system.fixture.ts';
import { describeFrame } from './frame.ts';
import { describeOverview } from './overview.ts';
import { describeParkedEvents } from './parked-events.ts';
import { describeProviderApplications } from './provider-applications.ts';

describeWith(findChromium(), 'the pages of operators and administrators', (executablePath) => {
  const system = useConsole(executablePath);
  describe('the frame of the console', () => describeFrame(system));
  describe('the page Overview', () => describeOverview(system));
  describe('the page Parked events', () => describeParkedEvents(system));
  describe('the page Provider applications', () => describeProviderApplications(system));
  describe('the pages of access', () => describeAccess(system));
});
