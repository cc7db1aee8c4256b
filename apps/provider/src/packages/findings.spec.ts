import { describe, expect, it } from 'vitest';
import { Findings, shownFindings } from './findings.ts';

describe('Findings', () => {
  it('Findings have a warning of each rule, also of one that is found after those that are shown', () => {
    const findings = new Findings();
    for (let at = 0; at <= shownFindings; at += 1) {
      findings.add('file-missing', `${at}.js is missing.`, { file: 'imsmanifest.xml' });
    }
    findings.add('file-type', 'game.swf does not run.');
    expect(findings.warnings()).toEqual([
      `0.js is missing. (and ${shownFindings} more)`,
      'game.swf does not run.',
    ]);
    expect(findings.list()).toHaveLength(shownFindings + 1);
  });
});
