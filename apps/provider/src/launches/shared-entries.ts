import * as z from 'zod';
import type { Activity } from '../packages/course-structure.ts';
import type { RuntimeData } from '../results/runtime.ts';
import type { SharedData } from '../registrations/registration-row.ts';

/** An entry of `adl.data` (SCORM 2004 RTE 4.3). */
export interface SharedEntry {
  readonly id: string;
  /** Empty if nothing was stored yet. */
  readonly store: string;
  readonly read: boolean;
  readonly write: boolean;
}

/** The name under which reports contain shared data, beside the branches of `cmi`. */
export const sharedBranch = 'adl.data';

const reportedData = z.record(z.string(), z.string());

/** Returns the entries of `adl.data` with which content starts. */
export const sharedEntries = ({ sharedData = [] }: Activity, values: SharedData): SharedEntry[] =>
  sharedData.map(({ target, read, write }) => ({
    id: target,
    store: values[target] ?? '',
    read,
    write,
  }));

/** Returns shared data after a report of content, which changes only what its activity may write. */
export function writeSharedData(
  values: SharedData,
  { sharedData = [] }: Activity,
  reported: RuntimeData[string] | undefined,
): SharedData {
  const data = reportedData.catch({}).parse(reported ?? {});
  const written = sharedData.flatMap(({ target, write }) => {
    const value = write ? data[target] : undefined;
    return value === undefined ? [] : [[target, value] as const];
  });
  return { ...values, ...Object.fromEntries(written) };
}
