import { type CrawlType, type ProviderRegistration } from '#libs/contracts';
import { type Element } from 'xml-js';
import { activityElements } from './activity-report.ts';
import { element, writeDocument } from './report-xml.ts';

/** What the older API, whose report this is, called our `success`. */
const successInReport = { unknown: 'unknown', failed: 'failed', succeeded: 'passed' } as const;

function report(result: ProviderRegistration, format: CrawlType, details: Element[]): string {
  const attributes = { format, regid: result.registrationGuid, instanceid: `${result.instance}` };
  return writeDocument(
    element('rsp', { stat: 'ok' }, [
      element('registrationreport', attributes, [
        element('complete', {}, result.completion),
        element('success', {}, successInReport[result.success]),
        element('totaltime', {}, `${result.totalSeconds}`),
        element('score', {}, result.score === null ? 'unknown' : `${result.score}`),
        ...details,
      ]),
    ]),
  );
}

/** `course_result`: the provider's report of a registration, in the form of its older API. */
export const courseResult = (result: ProviderRegistration) => report(result, 'course', []);

/** `full_result`: the same report with the activity tree under it; null without a tree. */
export const fullResult = (result: ProviderRegistration) =>
  result.activity === null ? null : report(result, 'full', activityElements(result.activity));
