/** The position of a report in the order of all reports of an activity. */
export interface ReportPosition {
  /** The number of the opening of the activity, from 1. */
  readonly sitting: number;
  /** The number of the report within its sitting, from 1. */
  readonly sequence: number;
}

/**
 * Whether a report is newer than the last stored one. Reports of one sitting may arrive out of
 * order. Reports of an earlier sitting are accepted until a later sitting has reported.
 */
export const isNewer = (report: ReportPosition, stored: ReportPosition): boolean =>
  report.sitting === stored.sitting
    ? report.sequence > stored.sequence
    : report.sitting > stored.sitting;
