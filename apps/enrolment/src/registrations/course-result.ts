import { type CrawlType, type ProviderRegistration } from '#libs/contracts';
import { writeXml, xmlDeclaration, xmlElement } from '#libs/formats';
import { type Element } from 'xml-js';
import { activityElements } from './activity-report.ts';

/** What the older API, whose report this is, called our `success`. */
const successInReport = { unknown: 'unknown', failed: 'failed', succeeded: 'passed' } as const;

function report(result: ProviderRegistration, format: CrawlType, details: Element[]): string {
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
  return xmlDeclaration + writeXml(root);
}

/** `course_result`: the provider's report of a registration, in the form of its older API. */
export const courseResult = (result: ProviderRegistration) => report(result, 'course', []);

/** `full_result`: the same report with the activity tree under it; null without a tree. */
export const fullResult = (result: ProviderRegistration) =>
  result.activity === null ? null : report(result, 'full', activityElements(result.activity));
