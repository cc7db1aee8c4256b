/** Which opening of an activity a report belongs to, and the number of the report in it. */
export interface ReportPlace {
  /** Counts the openings of the activity, from 1. */
  readonly sitting: number;
  /** Counts the reports of one sitting, from 1. */
  readonly sequence: number;
}

/**
 * Whether a report is newer than the last one that was stored. Reports of one sitting may overtake
 * each other; a later sitting wins over an earlier one as soon as it reports, and until then the
 * last words of the earlier one still count.
 */
export const isNewer = (report: ReportPlace, stored: ReportPlace): boolean =>
  report.sitting === stored.sitting
    ? report.sequence > stored.sequence
    : report.sitting > stored.sitting;
