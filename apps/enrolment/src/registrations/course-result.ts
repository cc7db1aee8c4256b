import { type CrawlType, type ProviderRegistration } from '@registrar/contracts';
import { xmlDeclaration, type XmlElement, xmlElement } from '@registrar/formats';
import { activityElements } from './activity-report.ts';

/** The values of `success` in a report. */
const successInReport = { unknown: 'unknown', failed: 'failed', succeeded: 'passed' } as const;

function report(result: ProviderRegistration, format: CrawlType, details: XmlElement[]): string {
  const attributes = { format, regid: result.registrationGuid, instanceid: `${result.instance}` };
  const root = xmlElement('rsp', { stat: 'ok' }, [
    xmlElement('registrationreport', attributes, [
      xmlElement('complete', {}, result.completion),
      xmlElement('success', {}, successInReport[result.success]),
      xmlElement('totaltime', {}, `${result.totalSeconds}`),
      xmlElement('score', {}, result.score === null ? 'unknown' : `${result.score}`),
      ...details,
    ]),
  ]);
  return xmlDeclaration + root;
}

/** Returns `course_result`, the report of a result (contract/registrations#record-course-result). */
export const courseResult = (result: ProviderRegistration) => report(result, 'course', []);

/**
 * Returns `full_result`, the report with its activity tree, or null without a tree
 * (contract/registrations#record-full-result).
 */
export const fullResult = (result: ProviderRegistration) =>
  result.activity === null ? null : report(result, 'full', activityElements(result.activity));
