/** Durations of the two standards, in seconds. Malformed or absent durations are 0. */

const scorm12 = /^(\d{2,4}):(\d{2}):(\d{2}(?:\.\d{1,2})?)$/;
const iso8601 =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

const day = 86_400;
/** Seconds per unit. Years and months have their average length (SCORM 2004 RTE 4.1.1.6). */
const units = [365.25 * day, 30.4375 * day, day, 3600, 60, 1];

/** Reads a CMITimespan: `HHHH:MM:SS.SS` (SCORM 1.2 RTE 3.4.3). */
export function secondsOfTimespan(text: string | undefined): number {
  const [, hours, minutes, seconds] = scorm12.exec(text ?? '') ?? [];
  return hours === undefined ? 0 : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** Reads a timeinterval: an ISO 8601 duration such as `PT1H30M5.5S` (SCORM 2004 RTE 4.1.1.6). */
export function secondsOfDuration(text: string | undefined): number {
  const [, ...amounts] = iso8601.exec(text ?? '') ?? [];
  return amounts.reduce((sum, amount, at) => sum + Number(amount ?? 0) * (units[at] ?? 0), 0);
}

/** Formats seconds as `HHHH:MM:SS.ss`, the format of SCORM 1.2 and of the API. */
export function timespanOf(seconds: number): string {
  const hundredths = Math.round(seconds * 100);
  const part = (value: number, width: number) => String(Math.floor(value)).padStart(width, '0');
  return [
    part(hundredths / 360_000, 4),
    part((hundredths / 6000) % 60, 2),
    `${part((hundredths / 100) % 60, 2)}.${part(hundredths % 100, 2)}`,
  ].join(':');
}
