import { findChromium } from '@registrar/testing';
import { describeWith } from '@registrar/testing/suites';
import { describe } from 'vitest';
import { useConsole } from './console-system.fixture.ts';
import { describeCourses } from './courses.ts';
import { describeInvitations } from './invitations.ts';
import { describeRegistrations } from './registrations.ts';
import { describeReports } from './reports.ts';

describeWith(findChromium(), 'the pages of a realm', (executablePath) => {
  const system = useConsole(executablePath);
  describe('the pages of courses', () => describeCourses(system));
  describe('the pages of registrations', () => describeRegistrations(system));
  describe('the pages of invitations and licenses', () => describeInvitations(system));
  describe('the pages of reports', () => describeReports(system));
});
